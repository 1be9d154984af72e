import { existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import { type Child, type StopStep, startChild } from './child.ts'
import { lockFolder } from './folder-lock.ts'
import { freePort } from './free-port.ts'
import { findPostgres } from './postgres-binaries.ts'
import { DATABASE, endLeftover, ensureCluster, SUPERUSER } from './postgres-cluster.ts'
import { choosePostgresHost, lastLine, type PostgresHost, type Reach } from './postgres-host.ts'

export type PostgresOptions = {
  /** The data folder; Postgres uses its `postgres` subfolder. */
  dataDir: string
  log: Log
  /** Default: a free port. */
  port?: number | undefined
  /** False is faster, but a power cut may lose data: only for tests. Default true. */
  durable?: boolean
  /** Further settings, by their names in postgresql.conf. */
  settings?: Record<string, string>
  /** The ways to test when started by root. Default: all. */
  ways?: readonly Reach[]
  /** Called when the server ends unexpectedly. */
  onExit?: (reason: string) => void
}

export type EmbeddedPostgres = {
  url: string
  port: number
  pid: number
  /** How the server reaches its files; always `direct` if not started by root. */
  reach: Reach
  /** Ends the server, in at most five seconds. */
  stop(): Promise<void>
}

const READY_TIMEOUT_MS = 60_000
const READY_POLL_MS = 20
const MAX_PORT_TRIES = 5
const MAX_REMNANT_TRIES = 25
const REMNANT_WAIT_MS = 200

/** Fast shutdown, then immediate (postgres(1)): committed work is safe either way. */
const STOP_STEPS: readonly StopStep[] = [
  { signal: 'SIGINT', waitMs: 4_000 },
  { signal: 'SIGQUIT', waitMs: 500 },
]

/** For a machine with two cores and some hundred megabytes of free memory. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  wal_compression: 'on',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '',
  log_checkpoints: 'off',
}

/** A power cut may lose all data. A kill of the server loses nothing. */
const NOT_DURABLE = { fsync: 'off', full_page_writes: 'off' }

/**
 * Starts the PostgreSQL that npm installed, on 127.0.0.1, with its data in `dataDir`. Creates the
 * database at the first start, and ends the server of a killed run.
 *
 * @throws StartError in one line: port taken, disk full, data in use by a live Fundproof, …
 */
export const startPostgres = async (options: PostgresOptions): Promise<EmbeddedPostgres> => {
  const folder = join(options.dataDir, 'postgres')
  mkdirSync(options.dataDir, { recursive: true, mode: 0o711 })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lock = lockFolder(folder)
  try {
    const binaries = findPostgres()
    const host = await choosePostgresHost(realpathSync(folder), binaries, options.log, options.ways)
    const data = join(host.folder, 'data')
    const ended = await endLeftover(data)
    if (ended !== undefined) {
      options.log.warn(`A Postgres that an earlier run left behind (pid ${ended}) was stopped.`)
    }
    const password = await ensureCluster(host, binaries.major, options.durable ?? true)
    const { server, port } = await startServer(host, data, options)
    let stopping = false
    server.ended.then((reason) => {
      lock.release()
      if (!stopping) options.onExit?.(`${reason}: ${errorLineOf(server)}`)
    })
    return {
      url: `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${DATABASE}`,
      port,
      pid: server.pid,
      reach: host.reach,
      async stop() {
        stopping = true
        await server.stop(STOP_STEPS)
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Starts the server. Retries with another free port, or until a killed server's processes end. */
const startServer = async (host: PostgresHost, data: string, options: PostgresOptions) => {
  let portTries = 0
  for (let attempt = 0; attempt < MAX_REMNANT_TRIES; attempt++) {
    const port = options.port ?? (await freePort())
    const server = await launch(host, data, port, options)
    if (await isReady(server, data)) return { server, port }
    const lines = server.lastLines().join('\n')
    if (/pre-existing shared memory block/.test(lines)) {
      await sleep(REMNANT_WAIT_MS)
    } else if (!/Address already in use/.test(lines)) {
      throw new StartError(`The embedded Postgres did not start: ${errorLineOf(server)}.`)
    } else if (options.port !== undefined || ++portTries >= MAX_PORT_TRIES) {
      throw new StartError(`The embedded Postgres did not start: port ${port} is taken.`)
    }
  }
  throw new StartError('The embedded Postgres did not start: an earlier one still holds its data.')
}

const launch = (host: PostgresHost, data: string, port: number, options: PostgresOptions) => {
  const settings = {
    ...SETTINGS,
    ...(options.durable === false ? NOT_DURABLE : {}),
    ...options.settings,
    port: String(port),
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = options.log.child({ part: 'postgres' })
  return startChild(
    host.command('postgres', ['-D', data, ...flags]),
    (line) => log.debug(line),
    'SIGINT',
  )
}

/** The eighth line of postmaster.pid holds the server's state, as for pg_ctl(1). */
const isReady = async (server: Child, data: string): Promise<boolean> => {
  const file = join(data, 'postmaster.pid')
  const deadline = Date.now() + READY_TIMEOUT_MS
  while (server.isRunning()) {
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
    if (Number(lines[0]) === server.pid && lines[7]?.trim() === 'ready') return true
    if (Date.now() > deadline) {
      await server.stop(STOP_STEPS)
      throw new StartError(`The embedded Postgres was not ready in ${READY_TIMEOUT_MS / 1000} s.`)
    }
    await sleep(READY_POLL_MS)
  }
  await server.ended
  return false
}

const ERROR_LINE = /^.*?\b((?:FATAL|PANIC|ERROR):)/

/** The server's last error line, or its last line. */
const errorLineOf = (server: Child): string => {
  const lines = server.lastLines()
  const errorLine = lines.findLast((line) => ERROR_LINE.test(line)) ?? lines.at(-1)
  // Before the server has read its settings, lines begin with time and process id.
  return lastLine(errorLine?.replace(ERROR_LINE, '$1') ?? 'no output')
}
