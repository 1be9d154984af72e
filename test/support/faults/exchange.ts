import type { ServerResponse } from 'node:http'
import type { BatchFault, ExchangeFault } from './fault.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

/** Whether the fault replaces the whole HTTP answer. */
export const isExchangeFault = (fault: { kind: string }): fault is ExchangeFault =>
  ['rate-limit', 'unavailable', 'hang', 'trickle', 'cut-off', 'drop', 'html'].includes(fault.kind)

export const isBatchFault = (fault: { kind: string }): fault is BatchFault =>
  ['batch-error', 'batch-limit', 'replies'].includes(fault.kind)

/** Sends the answer of a fault. `honest` returns the body that the node would send. */
export const answerFaultily = async (
  fault: ExchangeFault,
  response: ServerResponse,
  honest: () => Promise<string>,
): Promise<void> => {
  switch (fault.kind) {
    case 'rate-limit':
      response.writeHead(429, retryAfter(fault.retryAfterS)).end('Too many requests')
      return
    case 'unavailable':
      response.writeHead(fault.status ?? 503, retryAfter(fault.retryAfterS)).end('Unavailable')
      return
    case 'hang':
      return
    case 'trickle': {
      response.writeHead(200, JSON_TYPE)
      const timer = setInterval(() => response.write(' '), fault.everyMs ?? 20)
      response.on('close', () => clearInterval(timer))
      return
    }
    case 'cut-off': {
      const body = await honest()
      const half = body.slice(0, Math.floor(body.length / 2))
      if (!fault.connection) {
        response.writeHead(200, JSON_TYPE).end(half)
        return
      }
      response.writeHead(200, { ...JSON_TYPE, 'content-length': Buffer.byteLength(body) })
      response.write(half, () => response.destroy())
      return
    }
    case 'drop':
      response.destroy()
      return
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Bad gateway</html>')
  }
}

/** The body that replaces the answer of a batch, or undefined if the fault allows this size. */
export const answerBatch = (fault: BatchFault, calls: number): object | undefined => {
  if (fault.kind === 'replies') return undefined
  if (fault.kind === 'batch-limit' && calls <= fault.max) return undefined
  const error =
    fault.kind === 'batch-limit'
      ? { code: -32600, message: `batch of ${calls} calls exceeds the limit of ${fault.max}` }
      : { code: fault.code ?? -32603, message: fault.message ?? 'internal error' }
  return { jsonrpc: '2.0', id: null, error }
}

/** Changes the order or number of the replies as these faults say. */
export const disorder = <T>(replies: readonly T[], faults: readonly BatchFault[]): T[] => {
  let sent = [...replies]
  for (const fault of faults) {
    if (fault.kind !== 'replies') continue
    if (fault.how === 'reversed') sent = sent.toReversed()
    else if (fault.how === 'one-missing') sent = sent.slice(1)
    else sent = sent.concat(sent.slice(0, 1))
  }
  return sent
}

const retryAfter = (seconds: number | undefined): Record<string, string> =>
  seconds === undefined ? {} : { 'retry-after': String(seconds) }
