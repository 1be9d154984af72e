import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from '../../support/listen.ts'
import type { Lie } from './lies.ts'
import { GONE, type Json, type JsonObject } from './places.ts'

/** Three nodes of one chain. They give the same answers, except that the first node may lie. */
export type ThreeNodes = {
  urls: string[]
  /** Whether the first node has sent its lie. */
  readonly met: boolean
  /** The honest replies to all calls that the first node got. */
  readonly asked: ReadonlyMap<string, JsonObject>
  /** Frees the memory of these nodes. Call it after the last request. */
  forget(): void
}

export type NodeServer = {
  /** Opens three nodes. Calls for which `refuses` is true get an error from all three. */
  open(lie?: Lie, refuses?: (call: string) => boolean): ThreeNodes
  close(): Promise<void>
}

/** Answers a call with the `result` or `error` of a node. */
export type Answer = (method: string, params: readonly Json[]) => Promise<JsonObject>

/** Asks a real node. */
export const answerOf =
  (url: string): Answer =>
  async (method, params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(url, { method: 'POST', headers, body })
    const { result, error } = (await response.json()) as JsonObject
    return error === undefined ? { result: result ?? null } : { error }
  }

type Call = { id: number; method: string; params?: readonly Json[] }
type Setting = {
  lie: Lie | undefined
  refuses: (call: string) => boolean
  asked: Map<string, JsonObject>
  met: boolean
  lied: PromiseWithResolvers<void>
}

const REFUSAL: JsonObject = { error: { code: -32601, message: 'the method does not exist' } }

/**
 * Serves one chain as any number of groups of three nodes. The chain must not change, because each
 * call is forwarded only once. If the first node lies, the honest nodes answer after it.
 */
export const serveNodes = async (answer: Answer): Promise<NodeServer> => {
  const known = new Map<string, Promise<JsonObject>>()
  const settings = new Map<number, Setting>()
  let opened = 0

  const honestly = (name: string, { method, params = [] }: Call): Promise<JsonObject> => {
    const asking = known.get(name) ?? answer(method, params)
    known.set(name, asking)
    return asking
  }
  const reply = async (call: Call, setting: Setting, isFirst: boolean) => {
    const { lie, refuses, asked, lied } = setting
    const name = `${call.method} ${JSON.stringify(call.params ?? [])}`
    const said = refuses(name) ? REFUSAL : await honestly(name, call)
    const whole = { jsonrpc: '2.0', id: call.id, ...said }
    if (isFirst) asked.set(name, { ...whole, id: 0 })
    if (lie?.call !== name) return whole
    if (isFirst) {
      setting.met = true
      return lie.alter(whole)
    }
    await lied.promise
    return whole
  }
  const serve = async (request: IncomingMessage): Promise<{ body: string; sent: () => void }> => {
    const [, index, node] = (request.url ?? '').split('/')
    const setting = settings.get(Number(index))
    if (!setting) throw new Error(`There are no nodes ${index}.`)
    const parsed = JSON.parse(await text(request)) as Call | Call[]
    const calls = Array.isArray(parsed) ? parsed : [parsed]
    const isFirst = node === '0'
    const all = await Promise.all(calls.map((call) => reply(call, setting, isFirst)))
    const replies = all.filter((one) => one !== GONE)
    const sent = () => {
      if (isFirst && setting.met) setting.lied.resolve()
    }
    return { body: JSON.stringify(Array.isArray(parsed) ? replies : (replies[0] ?? null)), sent }
  }
  const http = createServer((request, response) => {
    serve(request).then(
      ({ body, sent }) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(body, sent),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  const { url, close } = await listen(http)
  return {
    open(lie, refuses = () => false) {
      const lied = Promise.withResolvers<void>()
      const setting: Setting = { lie, refuses, asked: new Map(), met: false, lied }
      const index = opened
      opened += 1
      settings.set(index, setting)
      return {
        urls: [0, 1, 2].map((node) => `${url}/${index}/${node}`),
        asked: setting.asked,
        get met() {
          return setting.met
        },
        forget: () => settings.delete(index),
      }
    },
    close,
  }
}
