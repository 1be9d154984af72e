import { walletProbe } from '../../../contracts-abi/index.ts'
import { isObject, type Json, type JsonObject, type Place } from './places.ts'

/**
 * The means by which a lie about a field is found.
 *
 * - `proof`: a known hash covers the field. `quorum`: the other nodes give another answer. `form`:
 * the rules of JSON-RPC or the question exclude the lie. The liar is named in these three cases.
 * - `partly`: only some lies about the field have an effect, and only those lies name the liar.
 * - `word`: the value is only the claim of a node. No root covers the field, the field's type in
 * src/chain says so, and no credit depends on the field.
 * - `unread`: the field has no effect, so the liar is not named.
 */
export type Cover = 'proof' | 'quorum' | 'form' | 'partly' | 'word' | 'unread'

type Rule = readonly [pattern: RegExp, cover: Cover]

const named = (names: string, prefix = '', cover: Cover = 'proof'): Rule => [
  new RegExp(`^${prefix}(?:${names.trim().split(/\s+/).join('|')})$`),
  cover,
]

const HEADER = named(
  `hash parentHash sha3Uncles miner stateRoot transactionsRoot receiptsRoot logsBloom difficulty
   number gasLimit gasUsed timestamp extraData mixHash nonce baseFeePerGas withdrawalsRoot
   blobGasUsed excessBlobGas parentBeaconBlockRoot requestsHash blockAccessListHash slotNumber`,
  String.raw`result\.`,
)

/** The fields that are part of a transaction's encoding, by its type. */
const SIGNED = 'type nonce gas to value input r s'
const LISTED = `chainId yParity accessList accessList\\[\\] accessList\\[\\]\\.address
  accessList\\[\\]\\.storageKeys accessList\\[\\]\\.storageKeys\\[\\]`
const FEES = 'maxFeePerGas maxPriorityFeePerGas'
const ENCODED: Readonly<Record<string, string>> = {
  '0x0': `${SIGNED} gasPrice v`,
  '0x1': `${SIGNED} ${LISTED} gasPrice`,
  '0x2': `${SIGNED} ${LISTED} ${FEES}`,
  '0x3': `${SIGNED} ${LISTED} ${FEES} maxFeePerBlobGas blobVersionedHashes blobVersionedHashes\\[\\]`,
  '0x4': `${SIGNED} ${LISTED} ${FEES} authorizationList authorizationList\\[\\]
    ${['chainId', 'address', 'nonce', 'yParity', 'r', 's'].map((name) => `authorizationList\\[\\]\\.${name}`).join(' ')}`,
  '0x64': 'type chainId requestId from to value',
  '0x65': 'type chainId from nonce gasPrice gas to value input',
  '0x66': 'type chainId requestId from maxFeePerGas gas to value input',
  '0x68': `type chainId nonce from maxFeePerGas gas to value input ticketId refundTo maxRefund
    submissionFeeRefund`,
  '0x69': `type chainId requestId from l1BaseFee depositValue maxFeePerGas gas retryTo retryValue
    beneficiary maxSubmissionFee refundTo retryData`,
  '0x6a': 'type chainId input',
  '0x78': 'type hash nonce gasPrice gas to value input v r s effectiveGasPrice l1BlockNumber',
  '0x7e': 'type sourceHash from to mint value gas input',
  '0x7f': 'type',
}

const transactions = (prefix: (type: string) => string): Rule[] =>
  Object.entries(ENCODED).map(([type, names]) => named(names, `${prefix(type)}\\.`))

const LOG_PLACE = 'transactionHash blockHash blockNumber transactionIndex'
const RULES: Readonly<Record<string, readonly Rule[]>> = {
  eth_chainId: [named('result', '', 'quorum')],
  header: [HEADER, named('result')],
  block: [
    HEADER,
    named(String.raw`result result\.transactions result\.transactions\[[x\da-f]*\]`),
    named('hash', String.raw`result\.transactions\[[x\da-f]*\]\.`),
    [/^result\.transactions\[0x7e\]\.isSystemTx$/, 'partly'],
    ...transactions((type) => String.raw`result\.transactions\[${type}\]`),
  ],
  eth_getBlockReceipts: [
    named(String.raw`result result\[\]`),
    named(
      `${LOG_PLACE} type status cumulativeGasUsed gasUsed logsBloom logs logs\\[\\] depositNonce
       depositReceiptVersion`,
      String.raw`result\[\]\.`,
    ),
    named(
      `${LOG_PLACE} address topics topics\\[\\] data logIndex`,
      String.raw`result\[\]\.logs\[\]\.`,
    ),
    named(
      'l1Fee blobGasPrice operatorFeeScalar operatorFeeConstant daFootprintGasScalar',
      String.raw`result\[\]\.`,
      'word',
    ),
  ],
  eth_getTransactionReceipt: [
    named('result transactionHash'.replace(' ', ` result\\.`), '', 'form'),
    named('blockHash blockNumber', String.raw`result\.`, 'quorum'),
  ],
  eth_getTransactionByHash: [
    [/^result(?:\([x\da-f]+\))?$/, 'form'],
    ...transactions((type) => String.raw`result\(${type}\)`),
  ],
  eth_getRawTransactionByHash: [named('result')],
  eth_getProof: [named(String.raw`result result\.accountProof result\.accountProof\[\]`)],
  eth_call: [named('result', '', 'quorum')],
  eth_getCode: [named('result', '', 'quorum')],
  // The success of calls needs a quorum. The amount of gas is the claim of one node.
  eth_estimateGas: [named('result', '', 'partly')],
  eth_simulateV1: [[/^result(?:\[\](?:\.calls(?:\[\](?:\.(?:gasUsed|status))?)?)?)?$/, 'partly']],
  eth_getBalance: [named('result', '', 'quorum')],
  eth_getStorageAt: [named('result', '', 'quorum')],
  eth_getTransactionCount: [named('result', '', 'quorum')],
}

/** The kind of a call. A block with full transactions is another kind than a header. */
export const kindOf = (call: string): string => {
  const [method = ''] = call.split(' ')
  if (!method.startsWith('eth_getBlockBy')) return method
  return call.endsWith(',true]') ? 'block' : 'header'
}

/**
 * The kind of a call. For a call of a contract it includes the four bytes of the function, so lies
 * about one call of a function stand for lies about its other calls.
 */
export const questionIn = (call: string): string => {
  const kind = kindOf(call)
  if (kind !== 'eth_call') return kind
  const [{ data = '' }] = JSON.parse(call.slice(kind.length)) as [{ data?: string }]
  return `${kind} ${data.slice(0, 10)}`
}

export const coverOf = (call: string, place: Place): Cover => {
  const { field } = place
  if (field === '' || field === 'id' || field === 'error') return 'form'
  if (field.startsWith('error.')) return 'partly'
  const kind = kindOf(call)
  // A contract can answer this call differently on each node, so a difference names no node.
  if (call.includes(walletProbe.bytecode)) return 'partly'
  if (kind === 'debug_traceTransaction') return coverInTree(place)
  if (kind === 'trace_transaction') return coverInList(place)
  if (isParity(place)) return 'proof'
  const rule = RULES[kind]?.find(([pattern]) => pattern.test(field))
  return rule?.[1] ?? 'unread'
}

/** Whether the field is a parity that older nodes call `v` instead of `yParity`. */
const isParity = ({ field, within }: Place): boolean => {
  const transaction = within.at(-1)
  if (!/0x[1-4][\])]\.v$/.test(field) || !isObject(transaction)) return false
  return transaction.yParity === undefined
}

const MOVE = /(?:^|\.)(?:from|to|value)$/
const UNREAD_IN_TRACES =
  /\.(?:gas|gasUsed|input|output|revertReason|init|code|creationMethod|subtraces|blockHash|blockNumber|transactionHash|transactionPosition)$/

const moves = (frame: Json | undefined): boolean =>
  isObject(frame) && typeof frame.value === 'string' && BigInt(frame.value) > 0n

const failed = (frame: Json | undefined): boolean => isObject(frame) && 'error' in frame

/** In geth's tree, only calls that moved money and did not fail have an effect. */
const coverInTree = ({ field, within }: Place): Cover => {
  if (field === 'jsonrpc' || UNREAD_IN_TRACES.test(field)) return 'unread'
  const frame = within.at(-1)
  const counts = moves(frame) && !within.slice(1).some(failed)
  return counts && MOVE.test(field) ? 'quorum' : 'partly'
}

/** In OpenEthereum's list, too, only calls that moved money and did not fail have an effect. */
const coverInList = ({ field, within }: Place): Cover => {
  if (field === 'jsonrpc') return 'unread'
  if (UNREAD_IN_TRACES.test(field)) return 'unread'
  const [, list, entry, action] = within
  const isInAction = /^result\[\]\.action\.\w+$/.test(field)
  if (!isInAction || !isObject(entry) || !Array.isArray(list)) return 'partly'
  const counts = moves(action) && !list.some((other) => failed(other) && isWithin(entry, other))
  return counts && MOVE.test(field) ? 'quorum' : 'partly'
}

const isWithin = (entry: JsonObject, outer: Json): boolean =>
  isObject(outer) &&
  Array.isArray(outer.traceAddress) &&
  Array.isArray(entry.traceAddress) &&
  entry.traceAddress.join().startsWith(outer.traceAddress.join())
