/** A server of a URL. */
export type Host = { readonly host: string; readonly port: number }

const SESSION_ATTRS = [
  'any',
  'read-write',
  'read-only',
  'primary',
  'standby',
  'prefer-standby',
] as const
const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const

/** The parts of the URL of a database, as libpq reads them (PostgreSQL documentation, 34.1). */
export type DatabaseUrl = {
  readonly hosts: readonly Host[]
  /** The servers of `hosts` to which a connection may go. */
  readonly attrs: (typeof SESSION_ATTRS)[number]
  readonly sslmode: (typeof SSL_MODES)[number]
  /** The files of the accepted authority, of the own certificate and of its key. */
  readonly sslrootcert: string | undefined
  readonly sslcert: string | undefined
  readonly sslkey: string | undefined
  /** The URL with its first host only, and without parameters that say how to connect. */
  readonly plain: string
}

const FORM = /^([a-z]+:\/\/(?:[^@/?#]*@)?)([^/?#]*)([^?#]*)(?:\?([^#]*))?/
const HOST = /^(?:\[([^\]]+)\]|([^:]*))(?::(\d+))?$/
const DEFAULT_PORT = 5_432

/** Parameters for a program that connects. A server would refuse them. */
const OF_CONNECTING = [
  ...['target_session_attrs', 'load_balance_hosts', 'connect_timeout', 'channel_binding'],
  ...['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation', 'gssencmode'],
  ...['host', 'keepalives', 'keepalives_idle', 'tcp_user_timeout', 'uselibpqcompat'],
]

/** The values of `ssl`, which drivers of JavaScript read, as values of `sslmode`. */
const MODE_OF_SSL: Record<string, string> = { true: 'verify-full', false: 'disable' }

/** @throws Error that names the wrong part of the URL, without its text, which may be secret */
export const parseDatabaseUrl = (url: string): DatabaseUrl => {
  const { start, list, path, query } = partsOf(url)
  const given = new URLSearchParams(query)
  const rest = new URLSearchParams(query)
  for (const name of OF_CONNECTING) rest.delete(name)
  const text = (name: string) => given.get(name) ?? undefined
  const ssl = text('ssl') && (MODE_OF_SSL[text('ssl') ?? ''] ?? text('ssl'))
  const byDefault = given.has('sslrootcert') ? 'verify-full' : 'disable'
  const hosts = (list || (text('host') ?? '')).split(',').map(hostOf)
  return {
    hosts,
    attrs: oneOf('target_session_attrs', SESSION_ATTRS, text('target_session_attrs') ?? 'any'),
    sslmode: oneOf('sslmode', SSL_MODES, text('sslmode') ?? ssl ?? byDefault),
    sslrootcert: text('sslrootcert'),
    sslcert: text('sslcert'),
    sslkey: text('sslkey'),
    plain: `${start}${list.split(',')[0]}${path}${rest.size > 0 ? `?${rest}` : ''}`,
  }
}

/** The URL of each host of a URL, with its host and port. */
export const urlsOfHosts = (url: string): { host: string; url: string }[] => {
  const { start, list, path, query } = partsOf(url)
  return list.split(',').map((host) => ({ host, url: `${start}${host}${path}?${query}` }))
}

const partsOf = (url: string) => {
  const [, start = '', list = '', path = '', query = ''] = FORM.exec(url) ?? []
  return { start, list, path, query }
}

/** A host that begins with `/` is the folder of a Unix socket. */
const hostOf = (text: string): Host => {
  if (text.startsWith('/')) return { host: text, port: DEFAULT_PORT }
  const [, address, name, port = DEFAULT_PORT] = HOST.exec(text) ?? []
  const host = address ?? name
  if (host === undefined || Number(port) > 65_535) {
    throw new Error('must name a host that exists, and a port up to 65535')
  }
  return { host: host || 'localhost', port: Number(port) }
}

const oneOf = <T extends string>(name: string, all: readonly T[], value: string): T => {
  const found = all.find((one) => one === value)
  if (found === undefined) throw new Error(`has a wrong ${name}: use ${all.join(', ')}`)
  return found
}
