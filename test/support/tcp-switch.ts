import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { listen } from './listen.ts'

export type Place = { host: string; port: number }

/**
 * Passes connections on to one server at a time, as a proxy in front of a database does. Closes all
 * connections when it is pointed at another server, or at none.
 */
export const startSwitch = async (first: Place, at?: Place) => {
  let target: Place | undefined = first
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    if (!target) {
      client.destroy()
      return
    }
    const upstream = connect(target)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.pipe(upstream).pipe(client)
  })
  const { url, close } = await listen(server, at)
  const point = (to: Place | undefined): void => {
    target = to
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    point(undefined)
    return close()
  })
  return { port: Number(new URL(url).port), point }
}
