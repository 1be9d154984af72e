import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

type Received = { event: string; id: string; data: Record<string, unknown> }

const MAX_BODY_BYTES = 1_000_000

/**
 * An example of a webhook receiver. Checks each signature with the package `standardwebhooks`
 * before it parses the body, and drops duplicates.
 */
export const startReceiver = async () => {
  const events: Received[] = []
  const refused: string[] = []
  let webhook: Webhook | undefined
  const seen = new Set<string>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= MAX_BODY_BYTES) chunks.push(chunk)
    })
    request.on('end', () => {
      try {
        if (!webhook) throw new Error('no secret is known yet')
        const headers = request.headers as Record<string, string>
        const body = webhook.verify(Buffer.concat(chunks).toString('utf8'), headers) as Received
        if (!seen.has(body.id)) events.push(body)
        seen.add(body.id)
        response.writeHead(204).end()
      } catch (error) {
        refused.push(error instanceof Error ? error.message : String(error))
        response.writeHead(401).end()
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    events,
    refused,
    trust: (secret: string) => {
      webhook = new Webhook(secret)
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>
