import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { callNode } from '../../src/local/rpc.ts'

/**
 * A node that answers repeated calls from memory. It stands for fast nodes, because the development
 * chain is slow: it recovers the sender of each transaction.
 */
const answers = new Map<string, Promise<string>>()

const answer = (target: string, method: string, params: readonly unknown[]): Promise<string> => {
  const key = JSON.stringify([method, params])
  const known = answers.get(key) ?? ask(target, method, params)
  answers.set(key, known)
  return known
}

const ask = async (target: string, method: string, params: readonly unknown[]): Promise<string> => {
  try {
    return `"result":${JSON.stringify((await callNode(target, method, [...params])) ?? null)}`
  } catch {
    return '"error":{"code":-32000,"message":"missing trie node"}'
  }
}

type Call = { id: number; method: string; params: readonly unknown[] }

const listen = (target: string): Promise<string> => {
  const server = createServer(async (request, response) => {
    const parsed = JSON.parse(await textOf(request)) as Call | Call[]
    const calls = Array.isArray(parsed) ? parsed : [parsed]
    const replies = await Promise.all(
      calls.map(
        async ({ id, method, params }) =>
          `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${await answer(target, method, params)}}`,
      ),
    )
    const body = Array.isArray(parsed) ? `[${replies.join(',')}]` : (replies[0] ?? '')
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    })
  })
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

process.once('message', async (message: { target: string }) => {
  process.send?.(await listen(message.target))
})
