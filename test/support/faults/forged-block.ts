import { encodeRlp, id, Transaction, toBeArray, Wallet } from 'ethers'
import { toHex } from '../../../src/chain/encoding/keccak.ts'
import { orderedTrieRoot } from '../../../src/chain/encoding/ordered-trie.ts'
import { createProofTools } from '../../../src/chain/encoding/tools.ts'
import { writeTransaction } from '../../../src/chain/encoding/transaction.ts'
import { addBloom, headerHash } from './encode.ts'
import { asList, type ForgedBranch, hex, type Json } from './fault.ts'

/**
 * A block with full transactions, its receipts, and the hash of the honest block that it replaces.
 */
export type ForgedBlock = { block: Json; receipts: Json[]; honestHash: string }

const TRANSFER_TOPIC = id('Transfer(address,address,uint256)')
const TRANSFER_SELECTOR = '0xa9059cbb'
const GAS = 60_000n

/** Copies a block below another parent and with another `extraData`, so that all hashes differ. */
export const forgeBlock = async (
  honest: Json,
  receipts: readonly Json[],
  parentHash: string,
  fault: ForgedBranch,
  chainId: number,
): Promise<ForgedBlock> => {
  const block: Json = { ...honest, parentHash, extraData: extraDataOf(fault.mark ?? 'forged') }
  const transactions = [...asList(honest.transactions)]
  const allReceipts = [...receipts]
  if (fault.pay && Number(honest.number) === (fault.pay.block ?? fault.from)) {
    const invented = await invent(block, transactions.length, fault.pay, chainId)
    const logsBefore = receipts.flatMap((receipt) => asList(receipt.logs)).length
    transactions.push(invented.transaction)
    allReceipts.push(receiptOf(block, invented, fault.pay, logsBefore))
    await reroot(block, transactions, allReceipts)
  }
  block.hash = headerHash(block)
  const placed = (part: Json): Json => ({ ...part, blockHash: block.hash })
  block.transactions = transactions.map(placed)
  return {
    block,
    receipts: allReceipts.map((receipt) => ({
      ...placed(receipt),
      logs: asList(receipt.logs).map(placed),
    })),
    honestHash: String(honest.hash),
  }
}

type Payment = NonNullable<ForgedBranch['pay']>
type Invented = { transaction: Json; from: string; hash: string; index: number }

/** Makes a payment that was never sent, signed by a key that no other test uses. */
const invent = async (
  block: Json,
  index: number,
  pay: Payment,
  chainId: number,
): Promise<Invented> => {
  const wallet = new Wallet(id('an invented donor'))
  const input = pay.token ? TRANSFER_SELECTOR + word(pay.to).slice(2) + wordOf(pay.amount) : '0x'
  const fields = {
    type: 0,
    chainId,
    nonce: 0,
    gasPrice: 10n ** 10n,
    gasLimit: GAS,
    to: pay.token ?? pay.to,
    value: pay.token ? 0n : pay.amount,
    data: input,
  }
  const signed = Transaction.from(await wallet.signTransaction(fields))
  const { r, s, v, networkV } = signed.signature ?? {}
  const from = wallet.address.toLowerCase()
  const transaction = {
    type: '0x0',
    hash: signed.hash,
    nonce: '0x0',
    blockNumber: block.number,
    transactionIndex: hex(index),
    from,
    to: fields.to.toLowerCase(),
    value: hex(fields.value),
    gasPrice: hex(fields.gasPrice),
    gas: hex(GAS),
    input,
    chainId: hex(chainId),
    r: quantity(r),
    s: quantity(s),
    v: hex(networkV ?? BigInt(v ?? 0)),
  }
  return { transaction, from, hash: String(signed.hash), index }
}

const receiptOf = (block: Json, tx: Invented, pay: Payment, logsBefore: number): Json => {
  const place = {
    blockNumber: block.number,
    transactionHash: tx.hash,
    transactionIndex: hex(tx.index),
  }
  const payment = pay.token
    ? [
        {
          address: pay.token,
          topics: [TRANSFER_TOPIC, word(tx.from), word(pay.to)],
          data: `0x${wordOf(pay.amount)}`,
        },
      ]
    : []
  const logs = [...payment, ...(pay.logs ?? [])].map((log, index) => ({
    ...{ ...place, ...log },
    ...{ logIndex: hex(logsBefore + index), removed: false },
  }))
  const empty = `0x${'00'.repeat(256)}`
  return {
    ...place,
    type: '0x0',
    status: '0x1',
    cumulativeGasUsed: hex(BigInt(String(block.gasUsed)) + GAS),
    gasUsed: hex(GAS),
    from: tx.from,
    to: pay.token ?? pay.to,
    contractAddress: null,
    logs,
    logsBloom: addBloom(
      empty,
      logs.flatMap(({ address, topics }) => [address, ...topics]),
    ),
  }
}

/** Recomputes gas, bloom and roots of the header from the content of the block. */
const reroot = async (block: Json, transactions: readonly Json[], receipts: readonly Json[]) => {
  const { writer, keccak } = await createProofTools()
  const root = (count: number, write: (index: number) => void): string =>
    toHex(orderedTrieRoot(count, writer, keccak, write))
  block.transactionsRoot = root(transactions.length, (index) => {
    writeTransaction(writer, transactions[index] ?? {})
  })
  block.receiptsRoot = root(receipts.length, (index) => {
    for (const byte of encodeReceipt(receipts[index] ?? {}).toReversed()) writer.rawByte(byte)
  })
  block.gasUsed = receipts.at(-1)?.cumulativeGasUsed
  const bits = receipts.reduce((bloom, one) => bloom | BigInt(String(one.logsBloom)), 0n)
  block.logsBloom = `0x${bits.toString(16).padStart(512, '0')}`
}

const encodeReceipt = (receipt: Json): Buffer => {
  const number = (value: unknown): Uint8Array => toBeArray(BigInt(String(value)))
  const logs = asList(receipt.logs).map((log) => [
    String(log.address),
    log.topics as string[],
    String(log.data),
  ])
  const body = encodeRlp([
    number(receipt.status),
    number(receipt.cumulativeGasUsed),
    String(receipt.logsBloom),
    logs,
  ])
  const type = Number(receipt.type ?? 0)
  return Buffer.concat([
    type === 0 ? Buffer.of() : Buffer.of(type),
    Buffer.from(body.slice(2), 'hex'),
  ])
}

const extraDataOf = (mark: string): string =>
  `0x${Buffer.from(mark).subarray(0, 32).toString('hex')}`

const word = (account: string): string => `0x${account.slice(2).toLowerCase().padStart(64, '0')}`

const wordOf = (amount: bigint): string => amount.toString(16).padStart(64, '0')

/** Writes a quantity without leading zeros. */
const quantity = (value: string | undefined): string => hex(BigInt(value ?? 0))
