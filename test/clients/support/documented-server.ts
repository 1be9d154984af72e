import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { checkerOf } from '../../support/document.ts'
import { listen } from '../../support/listen.ts'

type Media = { example?: string; examples?: Record<string, { value: unknown }> }
type Described = {
  operationId: string
  responses: Record<string, { content?: Record<string, Media> }>
}
type Document = {
  paths: Record<string, Record<string, Described>>
  webhooks: Record<string, { post: { requestBody: { content: Record<string, Required<Media>> } } }>
}

/** A request: its operation, and the violation of the document, or null if there is none. */
export type Judged = { operationId: string; problem: string | null; headers: Headers }

export type DocumentedServer = { url: string; judged: Judged[]; close(): Promise<void> }

/**
 * Starts a server that answers each operation with the example in the document, with amounts as
 * texts, and that checks each request against the document. A list has one page. A list of events
 * has all types of events.
 */
export const startDocumentedServer = async (text: string): Promise<DocumentedServer> => {
  const document = JSON.parse(text) as Document
  const check = checkerOf(text)
  const judged: Judged[] = []

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const { method = '', url: path = '/' } = request
    const headers = new Headers(Object.entries(request.headers) as [string, string][])
    const operation = operationOf(document, method, path)
    if (!operation) {
      judged.push({ operationId: `${method} ${path}`, problem: 'is unknown', headers })
      response.writeHead(404).end()
      return
    }
    const made = answerOf(document, operation, new URL(path, 'http://x').searchParams)
    const isJson = headers.get('content-type')?.startsWith('application/json') ?? false
    const exchange = {
      method,
      path,
      ...(isJson ? { sent: JSON.parse(body.toString()) as unknown } : {}),
      status: made.status,
      headers: new Headers({ 'content-type': made.type }),
      received: receivedOf(made),
    }
    let problem: string | null = null
    try {
      check(exchange)
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error)
    }
    judged.push({ operationId: operation.operationId, problem, headers })
    response.writeHead(made.status, { 'Content-Type': made.type })
    if (made.type === 'text/event-stream') response.write(made.body)
    else response.end(made.body)
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  return { ...(await listen(server)), judged }
}

/** Finds the operation of a request. A literal path `/a/b` goes before a template `/a/{id}`. */
const operationOf = ({ paths }: Document, method: string, url: string): Described | undefined => {
  const [path = ''] = url.split('?')
  const fits = (template: string) =>
    new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path)
  const [best] = Object.keys(paths)
    .filter((template) => paths[template]?.[method.toLowerCase()] && fits(template))
    .sort((one, other) => one.split('{').length - other.split('{').length)
  return paths[best ?? '']?.[method.toLowerCase()]
}

type Made = { status: number; type: string; body: string }

const answerOf = (document: Document, operation: Described, query: URLSearchParams): Made => {
  const [status = '', reply] =
    Object.entries(operation.responses).find(([code]) => code.startsWith('2')) ?? []
  const content = reply?.content ?? {}
  const types = Object.keys(content)
  const type = query.get('format') === 'csv' ? 'text/csv' : (types[0] ?? 'application/json')
  const body = bodyOf(document, type, content[type])
  return { status: Number(status), type, body }
}

/** The body in the form that the document's checker expects: parsed JSON, text, or undefined. */
const receivedOf = ({ type, body }: Made): unknown => {
  if (body === '') return undefined
  return type === 'application/json' ? JSON.parse(body) : body
}

const bodyOf = (document: Document, type: string, media: Media | undefined): string => {
  if (!media) return ''
  if (type === 'text/event-stream') {
    const [event] = eventsOf(document)
    return `id: 1\ndata: ${JSON.stringify(event)}\n\n`
  }
  if (type !== 'application/json') return media.example ?? 'bytes'
  const value = media.examples?.example?.value ?? {}
  const last = JSON.stringify(value, (key, part: unknown) => {
    if (key === 'events' && 'hasMore' in (value as object)) return eventsOf(document)
    if (key === 'hasMore') return false
    return key === 'pagination' ? { ...(part as object), nextCursor: null } : part
  })
  // Makes the amounts texts. All amounts in the examples are 12.5.
  return last.replaceAll(/:12\.5(?=[,}])/g, ':"12.5"')
}

/** One example of each event. */
const eventsOf = ({ webhooks }: Document): unknown[] =>
  Object.values(webhooks).map(
    ({ post }) => post.requestBody.content['application/json']?.examples.example?.value,
  )
