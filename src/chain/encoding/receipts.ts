import { EMPTY_ROOT } from '../../verifier/trie.ts'
import { ChainError } from '../errors.ts'
import {
  isPresent,
  type RpcObject,
  readAddress,
  readArray,
  readBigInt,
  readHash,
  readNumber,
  readObject,
} from '../rpc/read.ts'
import type { Block, Log, Receipt } from '../types.ts'
import { toHex } from './keccak.ts'
import { orderedTrieRoot } from './ordered-trie.ts'
import type { RlpWriter } from './rlp-writer.ts'
import { stateSyncHash } from './state-sync.ts'
import type { ProofTools } from './tools.ts'

/**
 * Proves a block's receipts: their encodings must rebuild the header's receiptsRoot. This proves
 * type, status, cumulative gas, bloom, logs, and the number and order of receipts. It does not
 * prove `transactionHash` of a receipt, which is compared with the block's transaction instead.
 *
 * @throws ChainError `receipts_forged` if the receipts do not match the block, `bad_response` if
 *   they are malformed, `unsupported` if they are proven but from before the Byzantium fork
 */
export const proveReceipts = (
  block: Block,
  list: readonly unknown[],
  { writer, keccak }: ProofTools,
): Receipt[] => {
  const raws = list.map((item) => readObject(item, 'receipt'))
  if (raws.length === block.transactions.length + 1) {
    if (raws.at(-1)?.transactionHash === stateSyncHash(block, keccak)) raws.pop()
  }
  if (raws.length !== block.transactions.length) throw forged(block, 'their number')
  checkPositions(block, raws)
  const isProvenBy = (outcome: Outcome): boolean => {
    writer.rewind(0)
    const write = (index: number) => writeReceipt(writer, raws[index] ?? {}, outcome)
    const root =
      raws.length === 0 ? EMPTY_ROOT : toHex(orderedTrieRoot(raws.length, writer, keccak, write))
    return root === block.receiptsRoot
  }
  const hasStates = raws.length > 0 && raws.every((receipt) => isPresent(receipt.root))
  const hasStatus = raws.every((receipt) => isPresent(receipt.status))
  if ((hasStatus || !hasStates) && isProvenBy('status')) return raws.map(toReceipt)
  if (!hasStates || !isProvenBy('root')) throw forged(block, 'their receiptsRoot')
  throw new ChainError(
    'unsupported',
    `The receipts of block ${block.number} are from before Byzantium and have no status.`,
  )
}

/** The first field of a receipt: a status (EIP-658) or, before the Byzantium fork, a state root. */
type Outcome = 'status' | 'root'

/**
 * Writes `rlp([status, cumulativeGasUsed, logsBloom, logs])`, after the type unless the type is 0
 * (EIP-2718, EIP-658). Unknown types get this format too. If the format is wrong, the root differs.
 */
export const writeReceipt = (
  writer: RlpWriter,
  receipt: RpcObject,
  outcome: Outcome = 'status',
): void => {
  const mark = writer.mark()
  const type = typeOf(receipt)
  if (type > 0x7f) throw new ChainError('bad_response', 'A receipt has an impossible type.')
  // OP chains: since the Canyon fork, a deposit's receipt also holds its nonce and a version.
  if (type === DEPOSIT && isPresent(receipt.depositReceiptVersion)) {
    writer.quantity(receipt.depositReceiptVersion)
    writer.quantity(receipt.depositNonce)
  }
  const logs = readArray(receipt.logs, 'logs')
  const logsMark = writer.mark()
  for (let i = logs.length - 1; i >= 0; i -= 1) writeLog(writer, readObject(logs[i], 'log'))
  writer.endList(logsMark)
  writer.hex(receipt.logsBloom, 256)
  writer.quantity(receipt.cumulativeGasUsed)
  if (outcome === 'status') writer.quantity(receipt.status)
  else writer.hex(receipt.root, 32)
  writer.endList(mark)
  if (type !== 0) writer.rawByte(type)
}

const DEPOSIT = 0x7e

const typeOf = ({ type }: RpcObject): number =>
  type === undefined ? 0 : readNumber(type, 'receipt type')

const writeLog = (writer: RlpWriter, log: RpcObject) => {
  const mark = writer.mark()
  writer.hex(log.data)
  const topics = readArray(log.topics, 'topics')
  const topicsMark = writer.mark()
  for (let i = topics.length - 1; i >= 0; i -= 1) writer.hex(topics[i], 32)
  writer.endList(topicsMark)
  writer.hex(log.address, 20)
  writer.endList(mark)
}

/** Checks positions and gas used, which no root proves, against the block and other receipts. */
const checkPositions = (block: Block, receipts: readonly RpcObject[]) => {
  let gasBefore = 0
  let logIndex = 0
  receipts.forEach((receipt, index) => {
    const hash = block.transactions[index]?.hash
    const isHere = (part: RpcObject) =>
      readHash(part.transactionHash, 'transaction hash') === hash &&
      readHash(part.blockHash, 'block hash') === block.hash &&
      readNumber(part.blockNumber, 'block number') === block.number &&
      readNumber(part.transactionIndex, 'transaction index') === index
    const gas = readNumber(receipt.cumulativeGasUsed, 'gas')
    if (!isHere(receipt) || readNumber(receipt.gasUsed, 'gas') !== gas - gasBefore) {
      throw forged(block, 'their position')
    }
    gasBefore = gas
    for (const item of readArray(receipt.logs, 'logs')) {
      const log = readObject(item, 'log')
      if (!isHere(log) || readNumber(log.logIndex, 'log index') !== logIndex) {
        throw forged(block, 'their position')
      }
      logIndex += 1
    }
  })
}

const toReceipt = (raw: RpcObject): Receipt => ({
  txHash: readHash(raw.transactionHash, 'transaction hash'),
  succeeded: readNumber(raw.status, 'status') === 1,
  type: typeOf(raw),
  gasUsed: readNumber(raw.gasUsed, 'gas'),
  logs: readArray(raw.logs, 'logs').map(toLog),
  ...optionalFee('l1Fee', raw.l1Fee),
  ...optionalFee('blobGasPrice', raw.blobGasPrice),
  ...operatorFee(raw),
})

const optionalFee = (name: 'l1Fee' | 'blobGasPrice', value: unknown): Partial<Receipt> =>
  isPresent(value) ? { [name]: readBigInt(value, name) } : {}

/**
 * The operator fee of the OP stack. Nodes leave out the parameters if both are 0. The receipts of
 * Jovian have `daFootprintGasScalar`, and Jovian changed the factor of the gas. Source:
 * https://specs.optimism.io/protocol/isthmus/exec-engine.html#operator-fee and
 * https://specs.optimism.io/protocol/jovian/exec-engine.html#operator-fee
 */
const operatorFee = (raw: RpcObject): Partial<Receipt> => {
  if (!isPresent(raw.operatorFeeScalar) && !isPresent(raw.operatorFeeConstant)) return {}
  const scalar = readBigInt(raw.operatorFeeScalar ?? '0x0', 'operator fee scalar')
  const constant = readBigInt(raw.operatorFeeConstant ?? '0x0', 'operator fee constant')
  const gas = readBigInt(raw.gasUsed, 'gas') * scalar
  const scaled = isPresent(raw.daFootprintGasScalar) ? gas * 100n : gas / 1_000_000n
  return { operatorFee: scaled + constant }
}

const toLog = (item: unknown): Log => {
  const log = readObject(item, 'log')
  return {
    address: readAddress(log.address, 'log address'),
    topics: readArray(log.topics, 'topics').map((topic) => readHash(topic, 'topic')),
    data: String(log.data).toLowerCase(),
  }
}

const forged = (block: Block, what: string): ChainError =>
  new ChainError('receipts_forged', `The receipts of block ${block.number} contradict ${what}.`)
