import type { Server as HttpServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'

/** Makes a server listen on loopback, by default on a free port. */
export const listen = async (server: HttpServer | Server, at = { host: '127.0.0.1', port: 0 }) => {
  await new Promise<void>((resolve) => server.listen(at.port, at.host, resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      if ('closeAllConnections' in server) server.closeAllConnections()
    })
  return { url: `http://${at.host}:${(server.address() as AddressInfo).port}`, close }
}
