import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from '../listen.ts'
import { createRandom } from '../random.ts'
import { RpcFault } from '../rpc-server.ts'
import { answerBatch, answerFaultily, disorder, isBatchFault, isExchangeFault } from './exchange.ts'
import type { Ask, Fault, Layer } from './fault.ts'
import { layerOf } from './layers.ts'

export type FaultOptions = {
  /**
   * The number of HTTP requests for which the fault holds. Requests that it cannot affect do not
   * count.
   */
  times?: number
  /** The share of requests with the fault, from 0 to 1. The proxy's seed chooses them. */
  probability?: number
  /** Limits the fault to requests with one of these methods, and to the calls of these methods. */
  methods?: readonly string[]
}

/**
 * A JSON-RPC node on loopback that passes on the answers of another node, except for its faults.
 */
export type FaultProxy = {
  url: string
  /** The number of received HTTP requests. */
  readonly requests: number
  /** All received calls, in order. */
  readonly calls: readonly { method: string; params: readonly unknown[] }[]
  /** The number of HTTP requests with a fault. */
  readonly faulted: number
  /** Adds a fault. Returns a function that removes it. */
  set(fault: Fault, options?: FaultOptions): () => void
  /** Removes all faults. Requests that already hang stay open. */
  heal(): void
  close(): Promise<void>
}

type Active = { fault: Fault; options: FaultOptions; left: number; layer: Layer | undefined }
type Call = { id: unknown; method: string; params?: readonly unknown[] }
type Reply = { jsonrpc: '2.0'; id: unknown; result?: unknown; error?: object }

/** Opens a proxy, which the caller closes. Equal seeds and requests give equal faults. */
export const openFaultProxy = async (upstream: string, seed = 1): Promise<FaultProxy> => {
  const random = createRandom(seed)
  const calls: { method: string; params: readonly unknown[] }[] = []
  let requests = 0
  let faulted = 0
  let active: Active[] = []

  /** Returns the faults of this request, and counts the request for them. */
  const drawFaults = (asked: readonly Call[]): Active[] => {
    const met = active.filter(({ options, left }) => {
      const { methods, probability } = options
      if (left <= 0) return false
      if (methods && !asked.some((call) => methods.includes(call.method))) return false
      return probability === undefined || random.chance(probability)
    })
    for (const one of met) one.left -= 1
    active = active.filter((one) => one.left > 0)
    return met
  }

  const answer = async (call: Call, met: readonly Active[]): Promise<Reply> => {
    const ask = met.reduce<Ask>((next, { layer, options }) => {
      if (!layer || options.methods?.includes(call.method) === false) return next
      return (method, params) => layer(method, params, next)
    }, asking(upstream))
    try {
      const result = await ask(call.method, call.params ?? [])
      return { jsonrpc: '2.0', id: call.id, result: result ?? null }
    } catch (error) {
      const { code, message } =
        error instanceof RpcFault ? error : new RpcFault(-32603, String(error))
      return { jsonrpc: '2.0', id: call.id, error: { code, message } }
    }
  }

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request)
    const parsed = JSON.parse(body) as Call | Call[]
    const asked = Array.isArray(parsed) ? parsed : [parsed]
    requests += 1
    calls.push(...asked.map(({ method, params = [] }) => ({ method, params })))
    const met = drawFaults(asked)
    if (met.length > 0) faulted += 1
    const batch = met.flatMap(({ fault }) => (isBatchFault(fault) ? [fault] : []))
    const honest = async (): Promise<string> => {
      for (const fault of batch) {
        const whole = answerBatch(fault, asked.length)
        if (whole) return JSON.stringify(whole)
      }
      if (!met.some((one) => one.layer) && batch.length === 0) return forward(upstream, body)
      const replies = await Promise.all(asked.map((call) => answer(call, met)))
      return JSON.stringify(Array.isArray(parsed) ? disorder(replies, batch) : replies[0])
    }
    const exchange = met.map(({ fault }) => fault).findLast(isExchangeFault)
    if (exchange) return answerFaultily(exchange, response, honest)
    const sent = await honest()
    response.writeHead(200, { 'content-type': 'application/json' }).end(sent)
  }

  const http = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else response.writeHead(502).end(String(error))
    })
  })
  return {
    ...(await listen(http)),
    get requests() {
      return requests
    },
    get faulted() {
      return faulted
    },
    calls,
    set(fault, options = {}) {
      const left = options.times ?? Number.POSITIVE_INFINITY
      const one: Active = { fault, options, left, layer: layerOf(fault) }
      active.push(one)
      return () => {
        active = active.filter((other) => other !== one)
      }
    },
    heal() {
      active = []
    },
  }
}

const forward = async (upstream: string, body: string): Promise<string> => {
  const headers = { 'content-type': 'application/json' }
  return (await fetch(upstream, { method: 'POST', headers, body })).text()
}

const asking =
  (upstream: string): Ask =>
  async (method, params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const reply = JSON.parse(await forward(upstream, body)) as {
      result?: unknown
      error?: { code: number; message: string }
    }
    if (reply.error) throw new RpcFault(reply.error.code, reply.error.message)
    return reply.result
  }
