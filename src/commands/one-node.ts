import { messageOf } from '../kernel/errors.ts'
import { foreignText } from '../kernel/formats/foreign-text.ts'
import { hideKeysOf } from '../kernel/formats/hide-keys.ts'

/** The check was not possible, because an argument is wrong, or a node or file is missing. */
export class Unchecked extends Error {}

/** One node of the user, which is trusted. `call` throws Unchecked without a result. */
export type OneNode = {
  readonly host: string
  call(method: string, params: readonly unknown[]): Promise<unknown>
}

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
      // The message of a `fetch` error says only that the request failed, so this uses the error's
      // cause.
      throw new Unchecked(`${host} did not answer: ${messageOf(member(error, 'cause') ?? error)}`)
    })
    const from = response.ok ? host : `${host} (HTTP ${response.status})`
    const reply = parseJson(await response.text(), `The answer of ${from}`)
    const fault = member(reply, 'error')
    if (fault)
      throw new Unchecked(`${from} refused ${method}: ${foreignText(hide(reasonOf(fault)))}`)
    return member(reply, 'result')
  }
  return { host, call }
}

const reasonOf = (fault: unknown): string =>
  String(member(fault, 'message') ?? JSON.stringify(fault))

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
