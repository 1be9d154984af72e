import { Resolver } from 'node:dns/promises'

/** Returns all addresses of a name. Rejects with an error of node:dns if the look-up fails. */
export type Resolve = (hostname: string) => Promise<string[]>

const QUERY_MS = 2_000
const TRIES = 2

/**
 * Creates a function that asks the name servers for IPv4 and IPv6 addresses. Does not use
 * `dns.lookup`, because slow queries would block Node's few background threads. So `/etc/hosts` is
 * not read, and the function itself knows the addresses of `localhost` (RFC 6761).
 */
export const createResolve = (
  resolver: Pick<Resolver, 'resolve4' | 'resolve6'> = new Resolver({
    timeout: QUERY_MS,
    tries: TRIES,
  }),
): Resolve => {
  return async (hostname) => {
    const name = hostname.replace(/\.$/, '').toLowerCase()
    if (name === 'localhost' || name.endsWith('.localhost')) return ['127.0.0.1', '::1']
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    const [first] = answers
    if (found.length === 0 && first.status === 'rejected') throw first.reason
    return found
  }
}
