import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, isIP, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { type ConnectionOptions, connect as secure } from 'node:tls'
import type { DatabaseUrl, Host } from '../kernel/database-url.ts'
import { messageOf } from '../kernel/errors.ts'
import { ConnectionError } from './errors.ts'

const ANSWER_MS = 10_000
/** The message `SSLRequest` (PostgreSQL documentation, 54.7). */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
const YES = 'S'

/**
 * Opens a socket to a server of the URL, with TLS as its `sslmode` says.
 *
 * @throws Error if the server does not answer, or if its certificate is not accepted
 */
export const openSocket = async (url: DatabaseUrl, { host, port }: Host): Promise<Socket> => {
  const isFolder = host.startsWith('/')
  const socket = isFolder ? connect(`${host}/.s.PGSQL.${port}`) : connect({ host, port })
  const late = setTimeout(
    () => socket.destroy(new ConnectionError('CONNECTION_CLOSED', `${host} does not answer`)),
    ANSWER_MS,
  )
  // The driver listens later, and an error without a listener would end the process.
  socket.on('error', () => {})
  try {
    await once(socket, 'connect')
    if (isFolder || url.sslmode === 'disable') return socket
    socket.write(SSL_REQUEST)
    await once(socket, 'readable')
    // A longer answer would be text that someone else sent before the encryption.
    const answer = String(socket.read())
    if (answer === YES) return await secured(url, host, socket)
    if (url.sslmode === 'prefer' || url.sslmode === 'allow') return socket
    throw new ConnectionError(
      'CONNECTION_CLOSED',
      `${host} offers no TLS, and sslmode is ${url.sslmode}`,
    )
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    clearTimeout(late)
  }
}

const secured = async (url: DatabaseUrl, host: string, socket: Socket): Promise<Socket> => {
  try {
    // Node.js compares the certificate with `host`, unless there is a `servername`.
    const name = isIP(host) ? { host } : { host, servername: host }
    const encrypted = secure({ socket, ...name, ...trustOf(url) })
    encrypted.on('error', () => {})
    await once(encrypted, 'secureConnect')
    return encrypted
  } catch (error) {
    throw new ConnectionError('CONNECTION_CLOSED', `TLS with ${host} failed: ${messageOf(error)}`)
  }
}

/** Reads the files for each connection, so that renewed certificates need no restart. */
const trustOf = ({ sslmode, sslrootcert, sslcert, sslkey }: DatabaseUrl): ConnectionOptions => {
  const files = {
    ...(sslrootcert && sslrootcert !== 'system' && { ca: readFileSync(sslrootcert) }),
    ...(sslcert && { cert: readFileSync(sslcert) }),
    ...(sslkey && { key: readFileSync(sslkey) }),
  }
  if (sslmode === 'verify-full') return files
  // With an authority, `require` means the same as `verify-ca`.
  const isVerified = sslmode === 'verify-ca' || (sslmode === 'require' && sslrootcert)
  if (isVerified) return { ...files, checkServerIdentity: () => undefined }
  return { ...files, rejectUnauthorized: false }
}

/**
 * A socket in the form that the driver `pg` wants: `connect` begins to open it. The arguments of
 * `connect` do not count, because `open` chooses the server.
 */
export class LateSocket extends Duplex {
  readonly #open: () => Promise<Socket>
  #socket: Socket | undefined

  constructor(open: () => Promise<Socket>) {
    super()
    this.#open = open
  }

  connect(): this {
    this.#open().then(
      (socket) => {
        this.#socket = socket
        if (this.destroyed) return socket.destroy()
        socket.on('data', (bytes) => this.push(bytes) || socket.pause())
        socket.on('error', (error) => this.destroy(error))
        socket.on('close', () => this.destroy())
        return this.emit('connect')
      },
      (error: Error) => this.destroy(error),
    )
    return this
  }

  setKeepAlive(on: boolean, delayMs: number): this {
    this.#socket?.setKeepAlive(on, delayMs)
    return this
  }

  setNoDelay = (): this => this
  ref = (): this => this
  unref = (): this => this

  override _read(): void {
    this.#socket?.resume()
  }

  override _write(bytes: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void) {
    this.#socket?.write(bytes, encoding, done)
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket?.end()
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket?.destroy()
    done(error)
  }
}
