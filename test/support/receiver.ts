import { createServer, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { onTestFinished } from 'vitest'
import { listen } from './listen.ts'

export type ReceivedEvent = { id: string; event: string; data: Record<string, unknown> }

/**
 * A webhook receiver that accepts only valid signatures, and keeps repeated events. It stops after
 * the test.
 */
export const startReceiver = async () => {
  const received: ReceivedEvent[] = []
  const refused: string[] = []
  const headers: IncomingHttpHeaders[] = []
  let webhook: Webhook | undefined
  const server = createServer(async (request, response) => {
    const body = await text(request)
    try {
      const signed = request.headers as Record<string, string>
      received.push(webhook?.verify(body, signed) as ReceivedEvent)
      headers.push(request.headers)
      response.writeHead(204).end()
    } catch (error) {
      refused.push(String(error))
      response.writeHead(401).end()
    }
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  return {
    url: `${url}/`,
    received,
    refused,
    /** The headers of the received events, in the same order. */
    headers,
    trust: (secret: string) => {
      webhook = new Webhook(secret)
    },
    /** The different events by id, in the order of their first arrival. */
    events: () => [...new Map(received.map((one) => [one.id, one])).values()],
  }
}
