import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { onTestFinished } from 'vitest'
import { waitFor } from '../../../support/wait-for.ts'

export type StreamedEvent = { cursor: string; type: string; id: string }

/** A client of server-sent events that reads a socket as the HTML Standard says. */
export type StreamClient = {
  status: number
  headers: IncomingMessage['headers']
  events: StreamedEvent[]
  ids(): string[]
  /** The value that a client would send as `Last-Event-ID`. */
  lastEventId(): string
  comments: string[]
  retries: string[]
  /** How the connection ended: in good order, or broken. Undefined while it is open. */
  ended(): 'closed' | 'broken' | undefined
  /** Ends the connection from the client's side. */
  close(): void
  /** Stops reading, so that the kernel's buffers fill. */
  pause(): void
}

export type StreamAsk = {
  token?: string
  apiKey?: string
  lastEventId?: string
  query?: string
}

export const openStreamAt = async (url: string, asked: StreamAsk): Promise<StreamClient> => {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const outgoing: ClientRequest = request(`${url}/api/events/stream${asked.query ?? ''}`, {
    headers: {
      accept: 'text/event-stream',
      ...(asked.token === undefined ? {} : { authorization: `Bearer ${asked.token}` }),
      ...(asked.apiKey === undefined ? {} : { 'x-api-key': asked.apiKey }),
      ...(asked.lastEventId === undefined ? {} : { 'last-event-id': asked.lastEventId }),
    },
  })
  outgoing.on('response', resolve).on('error', reject).end()
  const response = await promise
  onTestFinished(() => {
    response.destroy()
  })
  const events: StreamedEvent[] = []
  const comments: string[] = []
  const retries: string[] = []
  let lastEventId = ''
  let end: 'closed' | 'broken' | undefined
  let rest = ''

  const readBlock = (block: string): void => {
    let type = ''
    let data = ''
    for (const line of block.split('\n')) {
      if (line.startsWith(':')) comments.push(line.slice(2))
      const [, field = '', value = ''] = /^(\w+): (.*)$/.exec(line) ?? []
      if (field === 'id') lastEventId = value
      if (field === 'event') type = value
      if (field === 'data') data += value
      if (field === 'retry') retries.push(value)
    }
    if (data === '') return
    const { id } = JSON.parse(data) as { id: string }
    events.push({ cursor: lastEventId, type, id })
  }

  response.setEncoding('utf8')
  response.on('data', (text: string) => {
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop() ?? ''
    blocks.forEach(readBlock)
  })
  response.on('end', () => {
    end = 'closed'
  })
  response.on('error', () => {
    end ??= 'broken'
  })
  response.on('close', () => {
    end ??= 'broken'
  })
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events,
    comments,
    retries,
    ids: () => events.map(({ id }) => id),
    lastEventId: () => lastEventId,
    ended: () => end,
    close: () => response.destroy(),
    pause: () => response.pause(),
  }
}

/** Waits until the client has received all these events. */
export const waitForEvents = (client: StreamClient, ids: readonly string[]) =>
  waitFor(
    'the events to arrive',
    () => client.ids(),
    (known) => ids.every((id) => known.includes(id)),
  )
