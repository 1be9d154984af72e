import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen } from './listen.ts'
import { SCENARIOS } from './scenarios.ts'

/** A request that the server received, as the tests check it. */
export type Seen = {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: string
  atMs: number
}

/** Answers request number `index` (from 0) of a scenario. `base` is the server's address. */
export type Scenario = (
  index: number,
  request: Seen,
  response: ServerResponse,
  base: string,
) => void | Promise<void>

export type ScriptedServer = {
  url: string
  /** The requests of a scenario, in their order. */
  of(scenario: string): Seen[]
  close(): Promise<void>
}

/** Starts the server of the scenarios. The first part of a path names the scenario. */
export const startScriptedServer = async (): Promise<ScriptedServer> => {
  const seen = new Map<string, Seen[]>()
  let base = ''

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', base)
    const [, name = '', ...rest] = pathname.split('/')
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const one: Seen = {
      method: request.method ?? '',
      path: `/${rest.join('/')}`,
      query: searchParams,
      headers: request.headers,
      body,
      atMs: Date.now(),
    }
    const before = seen.get(name) ?? []
    seen.set(name, [...before, one])
    const scenario = SCENARIOS[name]
    if (scenario) await scenario(before.length, one, response, base)
    else response.writeHead(404).end()
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  const listening = await listen(server)
  base = listening.url
  return { ...listening, of: (scenario) => seen.get(scenario) ?? [] }
}
