import { isFull } from '../../support/full.ts'
import { createRandom } from '../../support/random.ts'
import { type Cover, coverOf, kindOf } from './coverage.ts'
import { type Family, HUGE, type Mutation, mutationsOf } from './mutations.ts'
import {
  changeAt,
  GONE,
  isObject,
  type Json,
  type JsonObject,
  type Place,
  placesIn,
} from './places.ts'

/** A change that the first of three nodes makes to one of its answers. */
export type Lie = {
  call: string
  field: string
  family: Family
  kind: string
  /** Whether the lying node must be named, must not be named, or may be named. */
  named: 'must' | 'must not' | 'may'
  alter(reply: Json): Json | typeof GONE
}

/** Errors in place of an answer. An error is no lie, and the answer of the other nodes counts. */
const REFUSALS: readonly JsonObject[] = [
  { code: -32000, message: 'header not found' },
  { code: -32601, message: 'the method does not exist' },
  { code: -32603, message: 'internal error' },
  { code: -32005, message: 'limit exceeded' },
  { code: -32003, message: 'response size exceeded' },
  { code: -32600, message: 'batch too large' },
  { code: 3, message: 'execution reverted' },
  { code: -32015, message: 'VM execution error' },
]

/**
 * The number of lies of each family about each field: the variable `LIES`, which may be `all`. The
 * default is 1 in a full run, and 0 in a fast run: then each field gets one lie with another value,
 * and two lies of all other families.
 */
export const LIES =
  process.env.LIES === 'all'
    ? Number.POSITIVE_INFINITY
    : Number(process.env.LIES ?? (isFull ? 1 : 0))

/** All lies about the replies to these calls. */
export const liesAbout = (replies: ReadonlyMap<string, JsonObject>): Lie[] =>
  [...replies].flatMap(([call, reply]) => [
    ...placesIn(reply).flatMap((place) =>
      mutationsOf(place.value).map((mutation) => lieOf(call, place, mutation)),
    ),
    ...REFUSALS.map(
      (error): Lie => ({
        ...{ call, field: '', family: 'refusal', kind: String(error.message), named: 'may' },
        alter: (honest) => (isObject(honest) ? { id: honest.id ?? null, error } : honest),
      }),
    ),
    ...answersToOthers(call, replies),
  ])

/** A sample of the lies about each field of each kind of call. `LIES` is its size. */
export const someOf = (lies: readonly Lie[], seed: number): Lie[] => {
  const random = createRandom(seed)
  const groups = Map.groupBy(lies, ({ call, field, family }) => {
    const where = `${kindOf(call)} ${field}`
    return LIES > 0 ? `${where} ${family}` : `${where} ${family === 'other value'}`
  })
  return [...groups.values()].flatMap((group) => {
    const count = LIES || (group[0]?.family === 'other value' ? 1 : 2)
    return group.length <= count ? group : Array.from({ length: count }, () => random.pick(group))
  })
}

const lieOf = (call: string, place: Place, { family, kind, of }: Mutation): Lie => ({
  ...{ call, field: place.field, family, kind },
  named: expectationOf(coverOf(call, place), call, place, family, of(place.value)),
  alter: (reply) => changeAt(reply, place.path, of),
})

const expectationOf = (
  cover: Cover,
  call: string,
  { field, value, within }: Place,
  family: Family,
  changed: Json | typeof GONE,
): Lie['named'] => {
  // A huge value can make an answer too large, even in a field that is not read.
  if (cover === 'unread') return changed === HUGE ? 'may' : 'must not'
  if (cover === 'partly' || cover === 'word' || family === 'same value') return 'may'
  // The reader ignores nodes of the trie after the node of the account.
  if (family === 'repeated' && field === 'result.accountProof') return 'may'
  if (family === 'extra' && isObject(value)) return 'may'
  // An error without a code is still an error, not a lie.
  if (field === 'error' && changed !== GONE && isObject(changed)) return 'may'
  // A node may lack data that other nodes have.
  if (/^result(?:\(\w+\))?$/.test(field) && changed === null) return 'may'
  if (isQuantity(call, field) && isSameNumber(value, changed)) return 'may'
  const isLeftOut = changed === GONE || changed === null
  if (isLeftOut && isOptional(field, value, within.at(-1))) return 'may'
  return 'must'
}

const QUANTITIES = new Set(
  `number difficulty gasLimit gasUsed timestamp baseFeePerGas blobGasUsed excessBlobGas slotNumber gas gasPrice
   value nonce v r s yParity chainId maxFeePerGas maxPriorityFeePerGas maxFeePerBlobGas type status
   cumulativeGasUsed transactionIndex blockNumber logIndex mint depositNonce depositReceiptVersion
   l1BaseFee depositValue retryValue maxSubmissionFee maxRefund submissionFeeRefund
   effectiveGasPrice l1BlockNumber`.split(/\s+/),
)
const NUMBERS = new Set(['eth_chainId', 'eth_getTransactionCount', 'eth_getBalance'])

const isQuantity = (call: string, field: string): boolean => {
  const kind = kindOf(call)
  if (field === 'result') return NUMBERS.has(kind)
  // The nonce of a header is eight bytes and no quantity.
  if (field === 'result.nonce') return kind === 'eth_getTransactionByHash'
  return QUANTITIES.has(field.split('.').at(-1) ?? '')
}

const HEX_NUMBER = /^0x[0-9a-f]{1,64}$/i

const isSameNumber = (value: Json, changed: Json | typeof GONE): boolean =>
  typeof value === 'string' &&
  typeof changed === 'string' &&
  HEX_NUMBER.test(value) &&
  HEX_NUMBER.test(changed) &&
  BigInt(value) === BigInt(changed)

/** Whether a transaction or receipt has the same meaning without the field. */
const isOptional = (field: string, value: Json, whole: Json | undefined): boolean => {
  if (field !== 'result' && value === null) return true
  if (field.endsWith('.yParity')) return isObject(whole) && whole.v !== undefined
  if (field.endsWith('.type')) return value === '0x0'
  if (field.endsWith('.accessList')) return Array.isArray(value) && value.length === 0
  // Some nodes send receipts of pending transactions, which have no block.
  if (field === 'result.blockHash') return isObject(whole) && whole.logs !== undefined
  return false
}

/**
 * True answers about another hash, block or account, also with the requested one written into them.
 */
const answersToOthers = (call: string, replies: ReadonlyMap<string, JsonObject>): Lie[] =>
  [...replies].flatMap(([other, { result }]) => {
    if (other === call || kindOf(other) !== kindOf(call) || result === undefined) return []
    const [from, to] = [subjectOf(other), subjectOf(call)]
    const rename = (subject: string, name: string) =>
      JSON.parse(JSON.stringify(result).replaceAll(subject, name)) as Json
    const family = 'answer to another question'
    return [result, ...(from && to ? [rename(from, to)] : [])].map(
      (value, index): Lie => ({
        ...{ call, field: 'result', family, kind: index === 0 ? other : `${other} renamed` },
        named: 'may',
        alter: (honest) =>
          isObject(honest) ? { jsonrpc: '2.0', id: honest.id ?? null, result: value } : honest,
      }),
    )
  })

/** The first hash, address or number in the parameters of a call. */
const subjectOf = (call: string): string | undefined => /0x[0-9a-f]+/.exec(call)?.[0]
