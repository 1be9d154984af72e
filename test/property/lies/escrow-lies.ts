import { AbiCoder, id, toBeHex } from 'ethers'
import { ESCROW_TOPICS } from '../../../src/escrow/events.ts'
import { TOKEN } from '../../support/world.ts'
import type { Lie } from './lies.ts'
import { isObject, type Json, type JsonObject } from './places.ts'

const FOREIGN = `0x${'ef'.repeat(20)}`
/** The data of an event: a release of 40 USDC, signed by two verifiers. */
const PAYOUT = AbiCoder.defaultAbiCoder().encode(
  ['address', 'address', 'uint256', 'bytes32', 'uint256'],
  [FOREIGN, TOKEN, 40_000_000n, id('evidence'), 3],
)
/** The data of an event: a cancellation. */
const FAILURE = AbiCoder.defaultAbiCoder().encode(
  ['uint8', 'uint256', 'uint256', 'uint256', 'uint256'],
  [3, 1, 1, 1, 1],
)
const TOPICS: readonly string[] = Object.values(ESCROW_TOPICS)

type Forgery = (event: JsonObject, index: number, logs: readonly JsonObject[]) => JsonObject[]

/** Changes of a receipt's logs. The log at `index` is an event of an escrow. */
const FORGERIES: Record<string, Forgery> = {
  'an event that is not there': (event, index, logs) => {
    const topics = [ESCROW_TOPICS.MilestoneReleased, toBeHex(1, 32)]
    return logs.toSpliced(index, 0, { ...event, topics, data: PAYOUT })
  },
  'an event twice': (event, index, logs) => logs.toSpliced(index, 0, event),
  'an event dropped': (_, index, logs) => logs.toSpliced(index, 1),
  'an event of another contract': (event, index, logs) =>
    logs.with(index, { ...event, address: FOREIGN }),
  'a log of another contract as an event': ({ address = '' }, _, logs) =>
    logs.map((log) => ({ ...log, address })),
  'another amount': (event, index, logs) =>
    logs.with(index, { ...event, data: otherWords(String(event.data)) }),
  'another event': (event, index, logs) =>
    logs.with(index, { ...event, topics: [ESCROW_TOPICS.Failed], data: FAILURE }),
  'another order': (_, __, logs) => logs.toReversed(),
}

/** Changes the last digit of each word. */
const otherWords = (data: string): string =>
  data.replace(/[\da-f]{64}/g, (word) => word.replace(/.$/, (last) => (last === '7' ? '8' : '7')))

/** Lies about events of escrows and about the code of accounts, which only a proof finds. */
export const escrowLies = (replies: ReadonlyMap<string, JsonObject>): Lie[] =>
  [...replies].flatMap(([call, reply]) => {
    if (call.startsWith('eth_getBlockReceipts')) return liesAboutEvents(call, reply)
    return call.startsWith('eth_getProof') ? liesAboutCode(call, reply) : []
  })

const liesAboutEvents = (call: string, reply: JsonObject): Lie[] => {
  const receipts = listOf(reply.result)
  const events = receipts.flatMap(({ logs }, receipt) =>
    listOf(logs).flatMap(({ topics }, index) =>
      TOPICS.includes(String(Array.isArray(topics) ? topics[0] : '')) ? [{ receipt, index }] : [],
    ),
  )
  const swapped = (result: Json): Json => listOf(result).toReversed()
  const ofBlock = receipts.length > 1 ? [lieOf(call, 'receipts in another order', swapped)] : []
  const ofEvents = events.flatMap(({ receipt, index }) =>
    Object.entries(FORGERIES).map(([kind, forge]) =>
      lieOf(call, kind, (result) => {
        const honest = listOf(result)
        const logs = listOf(honest[receipt]?.logs)
        const forged = forge(logs[index] ?? {}, index, logs)
        return numbered(honest.with(receipt, { ...honest[receipt], logs: forged }))
      }),
    ),
  )
  return [...ofBlock, ...ofEvents].filter(
    ({ alter }) => JSON.stringify(alter(reply)) !== JSON.stringify(reply),
  )
}

/** Numbers the logs of a block again, so that only the root shows an added or a missing log. */
const numbered = (receipts: readonly JsonObject[]): JsonObject[] => {
  let next = 0
  return receipts.map((receipt) => ({
    ...receipt,
    logs: listOf(receipt.logs).map((log) => ({ ...log, logIndex: `0x${(next++).toString(16)}` })),
  }))
}

/** Replaces the hash of an account's code in the whole answer, also in the proof. */
const liesAboutCode = (call: string, reply: JsonObject): Lie[] => {
  const { codeHash = '', accountProof = [] } = isObject(reply.result) ? reply.result : {}
  const digits = String(codeHash).slice(2)
  if (!JSON.stringify(accountProof).includes(digits)) return []
  const change = (result: Json): Json =>
    JSON.parse(JSON.stringify(result).replaceAll(digits, 'ef'.repeat(32)))
  return [lieOf(call, 'another code', change)]
}

const lieOf = (call: string, kind: string, change: (result: Json) => Json): Lie => ({
  ...{ call, field: 'result', family: 'other value', kind, named: 'must' },
  alter: (reply) => (isObject(reply) ? { ...reply, result: change(reply.result ?? null) } : reply),
})

const listOf = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : []
