import { messageOf } from '../kernel/errors.ts'
import { foreignText } from '../kernel/formats/foreign-text.ts'
import { hideKeysOf } from '../kernel/formats/hide-keys.ts'

/** The check was not possible, because an argument is wrong, or a node or file is missing. */
export class Unchecked extends Error {}

/** One node of the user, which is trusted. All methods throw Unchecked if it does not answer. */
export type OneNode = {
  readonly host: string
  call(method: string, params: readonly unknown[]): Promise<unknown>
  /** The logs of a block range, both ends included. Splits a range that is too large. */
  logs(filter: LogFilter): Promise<NodeLog[]>
}

export type LogFilter = {
  from: number
  to: number
  address?: string
  topics?: readonly (string | null)[]
}

/** Addresses, topics and data are lower case. `index` counts the logs of a block. */
export type NodeLog = {
  address: string
  topics: string[]
  data: string
  blockNumber: number
  blockHash: string
  transaction: number
  index: number
  txHash: string
}

/** The node refused a call. Such an error may depend on the arguments. */
export class Refused extends Unchecked {}

const TIMEOUT_MS = 60_000

export const openNode = (url: string): OneNode => {
  if (!URL.canParse(url)) throw new Unchecked('--rpc is not a URL.')
  const hide = hideKeysOf(url)
  // `fetch` refuses a URL with a user name, and its message repeats the URL.
  const { host, username, password, origin, pathname, search } = new URL(url)
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const authorization = `Basic ${Buffer.from(login).toString('base64')}`
  let lastId = 0
  const call: OneNode['call'] = async (method, params) => {
    lastId += 1
    const response = await fetch(origin + pathname + search, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(username === '' ? {} : { authorization }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error: unknown) => {
      // The message of `fetch` is only that it failed.
      throw new Unchecked(`${host} did not answer: ${messageOf(member(error, 'cause') ?? error)}`)
    })
    const from = response.ok ? host : `${host} (HTTP ${response.status})`
    const reply = parseJson(await response.text(), `The answer of ${from}`)
    const fault = member(reply, 'error')
    if (fault) throw new Refused(`${from} refused ${method}: ${foreignText(hide(reasonOf(fault)))}`)
    return member(reply, 'result')
  }
  const logs: OneNode['logs'] = async (filter) => {
    const { from, to, address, topics = [] } = filter
    const range = { fromBlock: quantity(from), toBlock: quantity(to), address, topics }
    try {
      const found = await call('eth_getLogs', [range])
      if (!Array.isArray(found)) throw new Unchecked(`${host} sent no list of logs.`)
      return found.map((log) => toLog(log, host))
    } catch (error) {
      if (!(error instanceof Refused) || from === to) throw error
      const middle = Math.floor((from + to) / 2)
      return [
        ...(await logs({ ...filter, to: middle })),
        ...(await logs({ ...filter, from: middle + 1 })),
      ]
    }
  }
  return { host, call, logs }
}

const reasonOf = (fault: unknown): string =>
  String(member(fault, 'message') ?? JSON.stringify(fault))

const toLog = (log: unknown, host: string): NodeLog => {
  const text = (name: string): string => String(member(log, name)).toLowerCase()
  const number = (name: string): number => {
    const value = Number(member(log, name))
    if (Number.isSafeInteger(value)) return value
    throw new Unchecked(`${host} sent a log of another form.`)
  }
  const topics = member(log, 'topics')
  if (!Array.isArray(topics)) throw new Unchecked(`${host} sent a log without topics.`)
  return {
    ...{ address: text('address'), data: text('data'), blockHash: text('blockHash') },
    txHash: text('transactionHash'),
    topics: topics.map((topic) => String(topic).toLowerCase()),
    blockNumber: number('blockNumber'),
    transaction: number('transactionIndex'),
    index: number('logIndex'),
  }
}

/** A number as JSON-RPC writes it. */
export const quantity = (value: number): string => `0x${value.toString(16)}`

/** A member of an object, undefined if it is missing or if `value` is no object. */
export const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

export const parseJson = (text: string, from: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new Unchecked(`${from} is not JSON.`)
  }
}
