import { Socket } from 'node:net'
import postgres from 'postgres'
import { type DatabaseUrl, type Host, parseDatabaseUrl } from '../kernel/database-url.ts'
import { messageOf } from '../kernel/errors.ts'
import { ConnectionError } from './errors.ts'
import { LateSocket, openSocket } from './socket.ts'

/** A server that does not answer in this time counts as away. */
const ANSWER_MS = 5_000
/** A server that has said its state is not asked again in this time. */
const FRESH_MS = 1_000

/** Returns the password of a database for a new connection. */
export type DatabasePassword = () => string

/** Where a database is. `password` replaces the password of the URL. */
export type DatabasePlace = { url: string; password?: DatabasePassword | undefined }

type State = { standby: boolean; readOnly: boolean }
type Options = postgres.Options<Record<string, postgres.PostgresType>>

/** The servers that were found last, by URL. The next search begins with them. */
const found = new Map<string, { host: Host; atMs: number }>()

/**
 * Opens the driver for the URL of a database. Chooses the server and makes TLS itself, because the
 * driver (postgres.js 3.4.9) sends `sslrootcert` to the server, takes a standby for read-write, and
 * tries several hosts without end and pause if none of them can be used.
 */
export const openDriver = (place: DatabasePlace, options: Options): postgres.Sql =>
  driverFor(place, options, () => openServer(place))

const driverFor = (
  { url, password }: DatabasePlace,
  options: Options,
  open: () => Promise<Socket>,
): postgres.Sql => {
  let over = false
  const socket = async () => {
    const opened = await open().catch(failingSocket)
    // The driver would use a socket that comes after its end, and would never close it.
    if (over) opened.destroy()
    return opened
  }
  const pass = password ? { pass: password } : {}
  const all = { ...options, ...pass, ssl: false, socket }
  const sql = postgres(parseDatabaseUrl(url).plain, all)
  const { end } = sql
  return Object.assign(sql, {
    end(how?: { timeout?: number }) {
      over ||= how?.timeout === 0
      return end(how)
    },
  })
}

/** A socket that fails at once. The driver ends a connection only when its socket fails. */
const failingSocket = (error: Error): Socket => {
  const socket = new Socket()
  setImmediate(() => socket.destroy(error))
  return socket
}

/** The user, the password and the name of the database that a connection would use. */
export const loginOf = (url: string): { user: string; password: string; database: string } => {
  const { user, pass, database } = postgres(parseDatabaseUrl(url).plain).options
  return { user, password: String(pass ?? ''), database }
}

/** The configuration of the driver `pg`, which pg-boss uses, for the same servers and TLS. */
export const configForPg = (place: DatabasePlace) => ({
  ...loginOf(place.url),
  ...(place.password ? { password: place.password } : {}),
  ssl: false,
  stream: () => new LateSocket(() => openServer(place)),
})

/**
 * Opens a socket to the server that the URL wants, with TLS if the URL wants it.
 *
 * @throws Error if no server can be used; the message names all of them
 */
const openServer = async (place: DatabasePlace): Promise<Socket> => {
  const url = parseDatabaseUrl(place.url)
  const [only] = url.hosts
  if (url.hosts.length === 1 && only && url.attrs === 'any') return openSocket(url, only)
  const known = found.get(place.url)
  if (known && performance.now() < known.atMs + FRESH_MS) {
    const socket = await openSocket(url, known.host).catch(() => undefined)
    if (socket) return socket
  }
  const problems = new Set<string>()
  for (const wanted of url.attrs === 'prefer-standby'
    ? (['standby', 'any'] as const)
    : [url.attrs]) {
    for (const host of lastFirst(url.hosts, known?.host)) {
      try {
        if (!IS_WANTED[wanted](await askState(place, url, host)))
          throw new Error(`is not ${wanted}`)
        const socket = await openSocket(url, host)
        found.set(place.url, { host, atMs: performance.now() })
        return socket
      } catch (error) {
        problems.add(`${host.host}:${host.port}: ${messageOf(error)}`)
      }
    }
  }
  throw new ConnectionError(
    'CONNECTION_CLOSED',
    `no server can be used (${[...problems].join('; ')})`,
  )
}

/** The hosts, beginning with the one that was used last. */
const lastFirst = (hosts: readonly Host[], last: Host | undefined): Host[] => {
  const isLast = (one: Host) => one.host === last?.host && one.port === last.port
  return hosts.toSorted((a, b) => Number(isLast(b)) - Number(isLast(a)))
}

/** The meanings of `target_session_attrs` (PostgreSQL documentation, 34.1.2). */
const IS_WANTED: Record<Exclude<DatabaseUrl['attrs'], 'prefer-standby'>, (is: State) => boolean> = {
  any: () => true,
  'read-write': ({ readOnly }) => !readOnly,
  'read-only': ({ readOnly }) => readOnly,
  primary: ({ standby }) => !standby,
  standby: ({ standby }) => standby,
}

/** Asks a server for its state, on a connection of its own. */
const askState = async (place: DatabasePlace, url: DatabaseUrl, host: Host): Promise<State> => {
  const connection = { application_name: 'fundproof connect' }
  const options = { max: 1, fetch_types: false, onnotice: () => {}, connection }
  const sql = driverFor(place, options, () => openSocket(url, host))
  const late = setTimeout(() => void sql.end({ timeout: 0 }), ANSWER_MS)
  try {
    const [state] = await sql.unsafe<State[]>(`
      select pg_is_in_recovery() as standby,
             current_setting('transaction_read_only') = 'on' as "readOnly"`)
    return state as State
  } finally {
    clearTimeout(late)
    void sql.end({ timeout: 0 })
  }
}
