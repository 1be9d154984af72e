import { isIP, type LookupFunction, type Socket } from 'node:net'
import { buildConnector } from 'undici'
import type { AddressGuard } from './guard.ts'
import { createResolve, type Resolve } from './resolve.ts'

/** Creates the function that opens connections. Tests use another function here. */
export type ConnectorBuilder = (options: buildConnector.BuildOptions) => buildConnector.connector

export type ConnectOptions = {
  guard: AddressGuard
  connectTimeoutMs: number
  resolve?: Resolve | undefined
  connectorBuilder?: ConnectorBuilder | undefined
}

/** If an address of a host does not answer in this time, the next address is tried. */
const NEXT_FAMILY_MS = 1_000

/**
 * Creates a connector for the HTTP client undici. It checks the address at each connection, because
 * the addresses of a name can change after the check of the URL (DNS rebinding):
 * - A host that is an IP address is checked here, because `lookup` is only called for names.
 * - A name is looked up once, and is refused if one of its addresses is refused.
 * - The remote address of an open socket is checked again before the request is sent.
 */
export const createGuardedConnector = (options: ConnectOptions): buildConnector.connector => {
  const { guard, resolve = createResolve() } = options
  const connect = (options.connectorBuilder ?? buildConnector)({
    allowH2: false,
    timeout: options.connectTimeoutMs,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_FAMILY_MS,
    lookup: guardedLookup(guard, resolve),
  })
  return (target, callback) => {
    const refused = refusalOf(() => {
      if (isIP(target.hostname) !== 0) guard.checkAddress(target.hostname)
    })
    if (refused) return callback(refused, null)
    return connect(target, (...result) => {
      const [error, socket] = result
      if (error) return callback(error, null)
      const wrongPeer = refusalOf(() => guard.checkAddress(peerOf(socket)))
      if (!wrongPeer) return callback(null, socket)
      socket.destroy()
      return callback(wrongPeer, null)
    })
  }
}

const guardedLookup =
  (guard: AddressGuard, resolve: Resolve): LookupFunction =>
  (hostname, { all }, callback) => {
    resolve(hostname)
      .then((addresses) => {
        for (const address of addresses) guard.checkAddress(address)
        const found = addresses.map((address) => ({ address, family: isIP(address) }))
        const [first] = found
        if (!first)
          throw Object.assign(new Error('The name has no address.'), { code: 'ENOTFOUND' })
        return { first, found }
      })
      .then(
        ({ first, found }) =>
          all ? callback(null, found) : callback(null, first.address, first.family),
        (error) => callback(error, []),
      )
  }

const peerOf = (socket: Socket): string => socket.remoteAddress ?? ''

const refusalOf = (check: () => void): Error | undefined => {
  try {
    check()
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
