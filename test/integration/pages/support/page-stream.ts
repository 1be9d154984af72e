import { type IncomingMessage, request } from 'node:http'
import { onTestFinished } from 'vitest'

/** A client that reads the live parts of a page from a socket. */
export type PageStream = {
  status: number
  headers: IncomingMessage['headers']
  /** The texts of the received events of this type, in order. */
  texts(type: string): string[]
  retryMs(): number | undefined
  comments: string[]
  /** How the connection ended: in good order, or broken. Undefined while it is open. */
  ended(): 'closed' | 'broken' | undefined
  close(): void
  /** Stops reading, so that the kernel's buffers fill. */
  pause(): void
}

export const openPageStream = async (
  url: string,
  headers: Record<string, string> = {},
): Promise<PageStream> => {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  request(url, { headers: { accept: 'text/event-stream', ...headers }, agent: false })
    .on('response', resolve)
    .on('error', reject)
    .end()
  const response = await promise
  onTestFinished(() => {
    response.destroy()
  })
  const seen: { type: string; text: string }[] = []
  const comments: string[] = []
  let retryMs: number | undefined
  let end: 'closed' | 'broken' | undefined
  let rest = ''

  const readBlock = (block: string): void => {
    let type = ''
    const data: string[] = []
    for (const line of block.split('\n')) {
      if (line.startsWith('event: ')) type = line.slice('event: '.length)
      if (line.startsWith('data: ')) data.push(line.slice('data: '.length))
      if (line.startsWith('retry: ')) retryMs = Number(line.slice('retry: '.length))
      if (line.startsWith(': ')) comments.push(line.slice(2))
    }
    if (data.length > 0) seen.push({ type, text: data.join('\n') })
  }

  response.setEncoding('utf8')
  response.on('data', (piece: string) => {
    rest += piece
    const blocks = rest.split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) readBlock(block)
  })
  response.on('error', () => {})
  response.on('close', () => {
    end = response.complete ? 'closed' : 'broken'
  })
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    texts: (type) => seen.filter((one) => one.type === type).map(({ text }) => text),
    retryMs: () => retryMs,
    comments,
    ended: () => end,
    close: () => response.destroy(),
    pause: () => response.pause(),
  }
}
