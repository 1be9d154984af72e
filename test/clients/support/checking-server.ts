import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Operation } from '../../../src/http/operation.ts'
import { parseJson } from '../../../src/http/request/body.ts'
import { parseBody, parseParams, parseQuery } from '../../../src/http/request/validate.ts'
import { readInterface } from '../../support/interface.ts'

type Example = { status: number; type: string; body: string }

export type CheckingServer = {
  url: string
  /** The operationIds of the good requests, each once. */
  asked(): string[]
  /** What was wrong with the others. */
  refused(): string[]
  close(): Promise<void>
}

/**
 * Starts a server that checks each request as the service does, and answers with the example of the
 * document. A stream of events has one event; its continuation is refused with 404.
 */
export const startCheckingServer = async (): Promise<CheckingServer> => {
  const { operations, text } = readInterface()
  const exampleOf = createExamples(text)
  const routes = operations.map((operation) => ({ operation, pattern: patternOf(operation.path) }))
  const asked = new Set<string>()
  const refused: string[] = []

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const url = new URL(request.url ?? '/', 'http://localhost')
    const route = routes.find(
      ({ operation, pattern }) =>
        operation.method.toUpperCase() === request.method && pattern.test(url.pathname),
    )
    try {
      if (!route) throw new Error('There is no such route.')
      const { operation, pattern } = route
      check(operation, pattern.exec(url.pathname)?.groups ?? {}, url, Buffer.concat(chunks))
      if (request.headers.prefer !== 'amounts=text')
        throw new Error('Amounts are not asked for as text.')
      asked.add(operation.operationId)
      if (request.headers['last-event-id']) return send(response, STREAM_END)
      send(response, exampleOf(operation))
    } catch (error) {
      refused.push(`${request.method} ${request.url}: ${String(error)}`)
      send(response, { status: 400, type: 'application/json', body: '{}' })
    }
  }

  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => [...asked],
    refused: () => refused,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const STREAM_END = { status: 404, type: 'application/json', body: '{}' }

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`)

const check = (
  operation: Operation,
  params: Readonly<Record<string, string>>,
  url: URL,
  body: Buffer,
): void => {
  if (operation.params) {
    const decoded = Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)])
    parseParams(operation.params, Object.fromEntries(decoded) as Record<string, string>)
  }
  const names = [...new Set(url.searchParams.keys())]
  parseQuery(
    operation.query,
    Object.fromEntries(names.map((name) => [name, url.searchParams.getAll(name)])),
  )
  if (operation.upload) {
    if (body.length === 0) throw new Error('The file is empty.')
  } else if (operation.body) {
    parseBody(operation.body, parseJson(body.toString()))
  } else if (body.length > 0) {
    throw new Error('There is a body.')
  }
}

type Replies = Record<
  string,
  { content?: Record<string, { examples?: Record<string, { value: unknown }> }> }
>

/** Reads the examples of good answers from the document, with amounts as texts. */
const createExamples = (text: string) => {
  const { paths } = JSON.parse(text) as {
    paths: Record<string, Record<string, { operationId: string; responses: Replies }>>
  }
  const described = Object.values(paths).flatMap((methods) => Object.values(methods))
  return ({ operationId }: Operation): Example => {
    const { responses = {} } = described.find((one) => one.operationId === operationId) ?? {}
    const [status, reply] = Object.entries(responses).find(([one]) => one < '3') ?? ['500', {}]
    const [type = '', media] = Object.entries(reply.content ?? {})[0] ?? []
    const [example] = Object.values(media?.examples ?? {})
    if (type !== 'application/json') return { status: Number(status), type, body: otherBody(type) }
    const body = JSON.stringify(example?.value ?? {}, onlyPage).replaceAll(
      /(?<=[:[])12\.5\b/g,
      '"12.5"',
    )
    return { status: Number(status), type, body }
  }
}

/** The examples of lists name a further page, which would make a loop over them endless. */
const onlyPage = (key: string, value: unknown): unknown => {
  if (key === 'hasMore') return false
  return key === 'pagination' ? { ...(value as object), nextCursor: null } : value
}

const otherBody = (type: string): string => {
  if (type !== 'text/event-stream') return type === '' ? '' : 'content'
  const event = { id: '1', event: 'of.tomorrow', created: '2026-01-31T12:00:00.000Z', data: {} }
  return `retry: 10\nid: p1\ndata: ${JSON.stringify(event)}\n\n`
}

const send = (response: ServerResponse, { status, type, body }: Example): void => {
  response.writeHead(status, type === '' ? {} : { 'Content-Type': type })
  response.end(status === 204 ? undefined : body)
}
