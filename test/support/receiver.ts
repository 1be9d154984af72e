import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { onTestFinished } from 'vitest'

export type ReceivedEvent = { id: string; event: string; data: Record<string, unknown> }

/** A webhook receiver that believes only good signatures, and keeps doubles. Gone after the test. */
export const startReceiver = async () => {
  const received: ReceivedEvent[] = []
  const refused: string[] = []
  const headers: IncomingHttpHeaders[] = []
  let webhook: Webhook | undefined
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      try {
        const signed = request.headers as Record<string, string>
        const body = Buffer.concat(chunks).toString('utf8')
        received.push(webhook?.verify(body, signed) as ReceivedEvent)
        headers.push(request.headers)
        response.writeHead(204).end()
      } catch (error) {
        refused.push(String(error))
        response.writeHead(401).end()
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received,
    refused,
    /** Of what was received, in the same order. */
    headers,
    trust: (secret: string) => {
      webhook = new Webhook(secret)
    },
    /** The different events, by id, in the order of their first arrival. */
    events: () => [...new Map(received.map((one) => [one.id, one])).values()],
  }
}
