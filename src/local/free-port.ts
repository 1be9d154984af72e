import { createServer } from 'node:net'

/** A port of 127.0.0.1 that was free a moment ago. */
export const freePort = (): Promise<number> => listenOnce(0)

/** Whether this port of 127.0.0.1 was free a moment ago. */
export const isFree = (port: number): Promise<boolean> =>
  listenOnce(port).then(
    () => true,
    () => false,
  )

const listenOnce = (port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      const given = typeof address === 'object' && address !== null ? address.port : port
      server.close(() => resolve(given))
    })
  })
