import { keccak256, Transaction, Wallet } from 'ethers'
import { headerHash } from '../../support/faults/encode.ts'
import { beforeNitro, cases } from '../../unit/chain/rollups/cases.ts'
import {
  account,
  blockOf,
  common,
  EMPTY_BLOOM,
  encodeReceipt,
  hash,
  type Log,
  number,
  type ReceiptFacts,
  rootOf,
  showReceipts,
  signedTransfer,
  TO,
  typed,
} from '../../unit/chain/rollups/encode.ts'
import { CHAIN_ID, type Question } from './ask.ts'
import { factsOf, provenPartOf } from './facts.ts'
import type { Answer } from './nodes.ts'
import type { Json, JsonObject } from './places.ts'
import { callsOf } from './questions.ts'

const NUMBER = 5

type Shown = { encoded: string; shown: JsonObject }

/** A chain of one block with transactions of the types that Anvil cannot mine. */
const FEES = { l1Fee: '0x5', operatorFeeScalar: '0x5', operatorFeeConstant: '0x5' }

export const createRollup = async (): Promise<{ answer: Answer; questions: Question[] }> => {
  const transactions = await showTransactions()
  const { block, receipts, encodings } = showBlock(transactions)
  const hashes = transactions.map(({ shown }) => String(shown.hash))
  const answer: Answer = async (method, [first, full]) => {
    if (method === 'eth_chainId') return { result: `0x${CHAIN_ID.toString(16)}` }
    if (method.startsWith('eth_getBlockBy')) {
      return { result: full === true ? block : { ...block, transactions: hashes } }
    }
    if (method === 'eth_getBlockReceipts') return { result: receipts }
    if (method === 'eth_getRawTransactionByHash') return { result: encodings.get(first) ?? null }
    return { error: { code: -32601, message: `the method ${method} does not exist` } }
  }
  const evidence = { blockHash: String(block.hash), txHashes: hashes.slice(0, 2), accounts: [] }
  return {
    answer,
    questions: [
      {
        name: 'blocks of rollups',
        ask: async ({ client }) => (await client.blocks(NUMBER, NUMBER)).map(factsOf),
      },
      {
        name: 'receipts of rollups',
        about: callsOf('eth_getBlockReceipts'),
        ask: async ({ client }) => {
          const found = await client.receipts(await client.blocks(NUMBER, NUMBER))
          return [...found.values()].map((some) => some.map(provenPartOf))
        },
      },
      {
        name: 'evidence of rollups',
        about: callsOf('eth_getRawTransactionByHash'),
        ask: ({ client }) => client.evidence(evidence),
      },
    ],
  }
}

const showTransactions = async (): Promise<Shown[]> => {
  const [first, , ...others] = cases
  const made = (first ? [first, ...others] : []).map(({ type, shown, fields }): Shown => {
    const encoded = typed(type, fields)
    const named = { type: `0x${type.toString(16)}`, hash: keccak256(encoded) }
    return { encoded, shown: { ...(shown as JsonObject), ...named } }
  })
  const sync = typed(0x7f, [[number(1), account('contract'), '0x0102', hash('on Ethereum')]])
  return [
    await signedTransfer(0),
    await signedTransfer(2),
    await signBlobs(),
    ...made,
    await beforeNitro(),
    { encoded: sync, shown: { ...common, type: '0x7f', hash: keccak256(sync) } },
  ]
}

/** A transaction with blobs (EIP-4844). */
const signBlobs = async (): Promise<Shown> => {
  const blobVersionedHashes = [`0x01${'ab'.repeat(31)}`]
  const accessList = [{ address: TO, storageKeys: [hash('key')] }]
  const wallet = new Wallet(hash('a donor'))
  const encoded = await wallet.signTransaction({
    ...{ type: 3, chainId: 1, nonce: 2, gasLimit: 21_000, to: TO, value: 0x77 },
    ...{ maxFeePerGas: 5, maxPriorityFeePerGas: 1, maxFeePerBlobGas: 9 },
    ...{ blobVersionedHashes, accessList },
  })
  const { r, s, yParity } = Transaction.from(encoded).signature ?? {}
  const shown = {
    ...{ type: '0x3', hash: keccak256(encoded), chainId: '0x1', nonce: '0x2', gas: '0x5208' },
    ...{ from: wallet.address.toLowerCase(), to: TO, value: '0x77', input: '0x' },
    ...{ maxFeePerGas: '0x5', maxPriorityFeePerGas: '0x1', maxFeePerBlobGas: '0x9' },
    ...{ blobVersionedHashes, accessList, yParity: `0x${yParity ?? 0}` },
    ...{ r: `0x${BigInt(r ?? 0).toString(16)}`, s: `0x${BigInt(s ?? 0).toString(16)}` },
  }
  return { encoded, shown }
}

const showBlock = (transactions: readonly Shown[]) => {
  const data = `0x${'ab'.repeat(96)}`
  const log: Log = { address: account('token'), topics: [hash('topic')], data }
  const facts = transactions.map(
    ({ shown }, index): ReceiptFacts => ({
      ...{ type: Number(shown.type), gas: 21_000 * (index + 1), logs: index === 0 ? [log] : [] },
      // Since Canyon the receipt of a deposit contains its nonce and a version.
      ...(shown.type === '0x7e' ? { extra: [number(7), number(1)] } : {}),
    }),
  )
  const fields = {
    ...{ parentHash: hash('parent'), sha3Uncles: hash('uncles'), miner: account('miner') },
    ...{
      stateRoot: hash('state'),
      transactionsRoot: rootOf(transactions.map((one) => one.encoded)),
    },
    ...{ receiptsRoot: rootOf(facts.map(encodeReceipt)), logsBloom: EMPTY_BLOOM },
    ...{ difficulty: '0x1', number: `0x${NUMBER}`, gasLimit: '0xffffff', gasUsed: '0xffffff' },
    ...{ baseFeePerGas: '0x3', withdrawalsRoot: hash('withdrawals'), blobGasUsed: '0x4' },
    ...{ excessBlobGas: '0x5', parentBeaconBlockRoot: hash('beacon'), requestsHash: hash('asked') },
    ...{ blockAccessListHash: hash('accessed'), slotNumber: '0x6' },
    ...{
      timestamp: '0x1',
      extraData: '0xabcd',
      mixHash: hash('mix'),
      nonce: `0x${'01'.repeat(8)}`,
    },
  }
  const shown = transactions.map((one) => one.shown)
  const block: JsonObject = { ...fields, hash: headerHash(fields), transactions: shown }
  const hashes = shown.map((one) => String(one.hash))
  const place = { ...blockOf([], []), hash: String(block.hash), number: NUMBER }
  const receipts = showReceipts(place, hashes, facts).map((receipt, index): Json => {
    const { type } = facts[index] ?? {}
    const deposit = type === 0x7e ? { depositNonce: '0x7', depositReceiptVersion: '0x1' } : {}
    const fees = type === 3 ? { blobGasPrice: '0x5' } : FEES
    return { ...receipt, ...deposit, ...fees } as JsonObject
  })
  const encodings = new Map<Json | undefined, string>(
    transactions.map(({ encoded, shown: { hash } }) => [hash, encoded]),
  )
  return { block, receipts, encodings }
}
