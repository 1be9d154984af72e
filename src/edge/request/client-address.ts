import { isIP } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import type { Context as HonoContext } from 'hono'

/** The address of the client if the request has no socket, as in a test. */
const UNKNOWN = 'unknown'

/**
 * Returns a function that finds the client's network. With n trusted proxies, the client's address
 * is the n-th entry from the end of `X-Forwarded-For`, because each proxy appends an entry. Without
 * proxies, or if this entry is not an address, the client's address is the address of the socket.
 */
export const createClientAddress =
  (trustedProxies: number): ((c: HonoContext) => string) =>
  (c) => {
    const socket = socketAddress(c)
    if (trustedProxies === 0) return networkOf(socket)
    const forwarded = c.req.header('x-forwarded-for')?.split(',') ?? []
    const given = withoutPort(forwarded[Math.max(0, forwarded.length - trustedProxies)] ?? '')
    return networkOf(isIP(given) === 0 ? socket : given)
  }

const WITH_PORT = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{1,5})?$/

/** Removes the client's port, which some proxies append: `192.0.2.1:443`, `[2001:db8::1]:443`. */
const withoutPort = (entry: string): string => {
  const text = entry.trim()
  const [, bracketed, plain] = WITH_PORT.exec(text) ?? []
  return bracketed ?? plain ?? text
}

/** The address of the socket. Only requests of a Node server have a socket. */
const socketAddress = (c: HonoContext): string =>
  (c.env as Partial<HttpBindings> | undefined)?.incoming?.socket?.remoteAddress ?? UNKNOWN

const IPV4_MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** The network that counts as one client: an IPv4 address, or an IPv6 /64. */
const networkOf = (address: string): string => {
  if (!address.includes(':')) return address
  const mapped = IPV4_MAPPED.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [head = '', tail = ''] = (address.split('%')[0] ?? '').toLowerCase().split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === '' ? [] : tail.split(':')
  // An IPv4 address at the end of an IPv6 address stands for two groups of 16 bits.
  const written = before.length + after.length + (address.includes('.') ? 1 : 0)
  const zeros = Array.from({ length: Math.max(0, 8 - written) }, () => '0')
  const groups = address.includes('::') ? [...before, ...zeros, ...after] : before
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}

/** Returns the /48 of an IPv6 network, because one client may own a /48. IPv4 stays unchanged. */
export const siteOf = (network: string): string =>
  network.endsWith('::/64') ? `${network.split(':').slice(0, 3).join(':')}::/48` : network
