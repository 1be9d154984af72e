import { concat, encodeRlp, id, keccak256, Transaction, toBeArray, Wallet } from 'ethers'
import { createProofTools } from '../../../../src/chain/encoding/tools.ts'
import { proveTransactions } from '../../../../src/chain/encoding/transactions.ts'
import type { Block, Header } from '../../../../src/chain/types.ts'

/** Values for the encoder of ethers. The tests do not use our encoder, because it is under test. */
export type Item = string | Uint8Array | Item[]
export const number = (value: unknown): Uint8Array => toBeArray(BigInt(String(value)))
export const typed = (type: number, item: Item): string =>
  concat([Uint8Array.of(type), encodeRlp(item)])

/** Computes the trie root of up to 16 values directly from the definition. */
export const rootOf = (values: readonly string[]): string => {
  const entries = values.map((value, index): [string, string] => [
    encodeRlp(number(index)).slice(2),
    value,
  ])
  const node = (some: [string, string][]): Item => {
    const [first] = some
    if (!first) return '0x'
    if (some.length === 1) return [path(first[0], true), first[1]]
    let shared = 0
    while (some.every(([key]) => key[shared] === first[0][shared])) shared += 1
    if (shared > 0) {
      const rest = some.map(([key, value]): [string, string] => [key.slice(shared), value])
      return [path(first[0].slice(0, shared), false), link(node(rest))]
    }
    const children = Array.from('0123456789abcdef', (digit) => {
      const below = some
        .filter(([key]) => key.startsWith(digit))
        .map(([key, value]): [string, string] => [key.slice(1), value])
      return below.length === 0 ? '0x' : link(node(below))
    })
    return [...children, '0x']
  }
  const link = (item: Item): Item => {
    const encoded = encodeRlp(item)
    return encoded.length < 66 ? item : keccak256(encoded)
  }
  const path = (nibbles: string, leaf: boolean) =>
    nibbles.length % 2 ? `0x${leaf ? 3 : 1}${nibbles}` : `0x${leaf ? 2 : 0}0${nibbles}`
  return keccak256(encodeRlp(node(entries)))
}

export const EMPTY_BLOOM = `0x${'00'.repeat(256)}`
export const hash = (text: string): string => id(text)
export const account = (text: string): string => id(text).slice(0, 42)

export const headerOf = (change: Partial<Header>): Header => ({
  number: 5,
  hash: hash('block'),
  parentHash: hash('parent'),
  timestamp: 1,
  gasUsed: 0,
  logsBloom: EMPTY_BLOOM,
  stateRoot: hash('state'),
  receiptsRoot: hash('receipts'),
  transactionsRoot: hash('transactions'),
  ...change,
})

/** Proves the transactions of a block: `encoded` gives the root, and `shown` is the node's form. */
export const prove = async (
  encoded: readonly string[],
  shown: readonly unknown[],
  header: Partial<Header> = {},
): Promise<Block> =>
  proveTransactions(
    headerOf({ transactionsRoot: rootOf(encoded), ...header }),
    shown,
    await createProofTools(),
  )

export const FROM = account('sender')
export const TO = account('recipient')
export const CHAIN = '0xa4b1'
export const common = {
  nonce: '0x3',
  from: FROM,
  to: TO,
  value: '0x77',
  gas: '0x5208',
  gasPrice: '0x9',
  input: '0xc0ffee',
  chainId: CHAIN,
  r: '0x0',
  s: '0x0',
  v: '0x0',
}

export type Log = { address: string; topics: string[]; data: string }
export type ReceiptFacts = {
  type: number
  status?: number
  gas: number
  logs?: Log[]
  extra?: Item[]
}

export const encodeReceipt = ({
  type,
  status = 1,
  gas,
  logs = [],
  extra = [],
}: ReceiptFacts): string => {
  const items: Item = [
    number(status),
    number(gas),
    EMPTY_BLOOM,
    logs.map(({ address, topics, data }): Item => [address, topics, data]),
    ...extra,
  ]
  return type === 0 ? encodeRlp(items) : typed(type, items)
}

/** Makes the receipts of a block as a node shows them. Each receipt uses another amount of gas. */
export const showReceipts = (
  block: Block,
  txHashes: readonly string[],
  facts: readonly ReceiptFacts[],
) => {
  let before = 0
  return facts.map(({ type, status = 1, gas, logs = [] }, index) => {
    const place = {
      transactionHash: txHashes[index],
      blockHash: block.hash,
      blockNumber: `0x${block.number.toString(16)}`,
      transactionIndex: `0x${index.toString(16)}`,
    }
    const gasUsed = gas - before
    before = gas
    return {
      ...place,
      type: `0x${type.toString(16)}`,
      status: `0x${status}`,
      cumulativeGasUsed: `0x${gas.toString(16)}`,
      gasUsed: `0x${gasUsed.toString(16)}`,
      logsBloom: EMPTY_BLOOM,
      logs: logs.map((log, at) => ({ ...log, ...place, logIndex: `0x${at.toString(16)}` })),
    }
  })
}

export const blockOf = (facts: readonly ReceiptFacts[], txHashes: readonly string[]): Block => ({
  ...headerOf({ receiptsRoot: rootOf(facts.map(encodeReceipt)) }),
  proof: 'transactions-root',
  transactions: txHashes.map((txHash) => ({ hash: txHash, to: null, value: 0n, raw: null })),
})

/** Returns another value of the same form. */
export const forge = (value: unknown): unknown => {
  if (typeof value === 'boolean') return !value
  if (typeof value !== 'string' || value === '0x') return '0x1'
  if (value === '0x0') return '0x1'
  const last = value.at(-1) === '1' ? '2' : '1'
  return value.slice(0, -1) + last
}

/**
 * A signed payment to TO: its encoding, its sender and the form in which a node shows the payment.
 */
export const signedTransfer = async (type: 0 | 2 = 0) => {
  const wallet = new Wallet(id('a donor'))
  const encoded = await wallet.signTransaction({
    type,
    chainId: 1,
    nonce: 1,
    ...(type === 0 ? { gasPrice: 5 } : { maxFeePerGas: 5, maxPriorityFeePerGas: 1 }),
    gasLimit: 21_000,
    to: TO,
    value: 0x77,
  })
  const signed = Transaction.from(encoded)
  const { r, s, networkV, yParity } = signed.signature ?? {}
  const shown = {
    type: `0x${type}`,
    hash: keccak256(encoded),
    chainId: '0x1',
    nonce: '0x1',
    from: wallet.address.toLowerCase(),
    to: TO,
    value: '0x77',
    gas: '0x5208',
    gasPrice: '0x5',
    maxFeePerGas: '0x5',
    maxPriorityFeePerGas: '0x1',
    input: '0x',
    accessList: [],
    v: `0x${BigInt(networkV ?? yParity ?? 0).toString(16)}`,
    r: `0x${BigInt(r ?? 0).toString(16)}`,
    s: `0x${BigInt(s ?? 0).toString(16)}`,
  }
  return { encoded, shown }
}
