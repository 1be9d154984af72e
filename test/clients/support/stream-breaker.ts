import { connect, createServer, type Socket } from 'node:net'
import { listen } from '../../support/listen.ts'

/** The number of bytes of the third event that pass before the first cut. */
const PART_BYTES = 20

/**
 * The position at which a stream is cut: the first stream in the middle of its third event, the
 * second stream after two events. Null for later streams, or if the position has not been reached.
 */
const cutOf = (stream: number, text: string): number | null => {
  if (stream > 1) return null
  const data = [...text.matchAll(/\ndata: /g)].map(({ index }) => index)
  if (stream === 0) {
    const third = data[2]
    return third === undefined ? null : third + PART_BYTES
  }
  const end = data[1] === undefined ? -1 : text.indexOf('\n\n', data[1])
  return end === -1 ? null : end + 2
}

export type StreamBreaker = { url: string; streams(): number; close(): void }

/** A proxy on loopback that passes on all bytes, but cuts the first two event streams. */
export const startStreamBreaker = async (upstream: string): Promise<StreamBreaker> => {
  const { hostname, port } = new URL(upstream)
  const open = new Set<Socket>()
  let streams = 0

  const relay = (down: Socket): void => {
    const up = connect(Number(port), hostname)
    let text = ''
    let stream: number | undefined
    const end = (): void => {
      for (const socket of [down, up]) {
        socket.destroy()
        open.delete(socket)
      }
    }
    for (const socket of [down, up]) {
      open.add(socket)
      socket.on('error', end).on('close', end)
    }
    down.on('data', (chunk) => up.write(chunk))
    up.on('data', (chunk: Buffer) => {
      const before = text.length
      text += chunk.toString('latin1')
      if (stream === undefined && /content-type: text\/event-stream/i.test(text)) stream = streams++
      const cut = stream === undefined ? null : cutOf(stream, text)
      down.write(Buffer.from(text.slice(before, cut ?? text.length), 'latin1'), () => {
        if (cut !== null) end()
      })
    })
  }

  const server = createServer(relay)
  const { url, close } = await listen(server)
  return {
    url,
    streams: () => streams,
    close: () => {
      void close()
      for (const socket of open) socket.destroy()
    },
  }
}
