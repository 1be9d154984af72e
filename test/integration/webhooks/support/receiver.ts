import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export type Received = { headers: IncomingHttpHeaders; body: string; at: number }

export type Receiver = {
  url: string
  received: Received[]
  close(): Promise<void>
}

/**
 * Starts a webhook receiver on a free port. `answer` answers each request. The receiver stops after
 * the test.
 */
export const startReceiver = async (
  answer: (response: ServerResponse, received: Received) => void = (response) => response.end('ok'),
): Promise<Receiver> => {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const one = {
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
      at: Date.now(),
    }
    received.push(one)
    answer(response, one)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => {
      server.close(resolve)
    })
  }
  onTestFinished(close)
  return { url: `http://127.0.0.1:${port}/hook`, received, close }
}
