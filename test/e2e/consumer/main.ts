import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

/**
 * A webhook consumer as an integrator writes it, with the `standardwebhooks` package and the
 * README, without code of this repository. Registers its URL with API_URL, API_TOKEN and EVENTS,
 * verifies every signature, drops repeated event ids, and answers 2xx. Prints a line of JSON for
 * its start, for each new event, for each repeated event and for each refused request.
 *
 * The first answer to an event of a type in LOSE_ANSWERS_TO is lost after the event was stored.
 */
type Envelope = { id: string; event: string; created: string; data: Record<string, unknown> }

const { API_URL = '', API_TOKEN = '', EVENTS = '', LOSE_ANSWERS_TO = '' } = process.env
const losing = new Set(LOSE_ANSWERS_TO.split(','))
const seen = new Set<string>()
let webhook: Webhook | undefined

const say = (line: object): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

const readText = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

/** Returns the event of a request. Throws if its signature is invalid. */
const take = async (request: IncomingMessage): Promise<Envelope> => {
  const rawBody = await readText(request)
  if (!webhook) throw new Error('no secret is known yet')
  return webhook.verify(rawBody, request.headers as Record<string, string>) as Envelope
}

const server = createServer((request, response) => {
  take(request).then(
    (event) => {
      say({ kind: seen.has(event.id) ? 'double' : 'event', event })
      seen.add(event.id)
      if (losing.delete(event.event)) response.destroy()
      else response.writeHead(204).end()
    },
    (error: unknown) => {
      say({ kind: 'refused', reason: String(error) })
      response.writeHead(401).end()
    },
  )
})

await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo
const answer = await fetch(`${API_URL}/api/webhooks`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: `Bearer ${API_TOKEN}` },
  body: JSON.stringify({ url: `http://127.0.0.1:${port}/events`, events: EVENTS.split(',') }),
})
const { webhook: endpoint } = (await answer.json()) as { webhook: { id: string; secret: string } }
webhook = new Webhook(endpoint.secret)
say({ kind: 'ready', endpointId: endpoint.id })
