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
  /** The folder of this installation; Postgres keeps to its `postgres` subfolder. */
  dataDir: string
  log: Log
  /** Default: a free one. */
  port?: number | undefined
  /** False trades what a power cut would lose for speed: only for tests. Default true. */
  durable?: boolean
  /** Further settings, by their names in postgresql.conf. */
  settings?: Record<string, string>
  /** Which ways to try when started by root; all by default. */
  ways?: readonly Reach[]
  /** Called when the server ends although nobody has stopped it. */
  onExit?: (reason: string) => void
}

export type EmbeddedPostgres = {
  url: string
  port: number
  pid: number
  /** How root's server reaches its files; `direct` for everybody else. */
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

/** For a machine with two cores and a few hundred megabytes to spare. */
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

/** A power cut may lose it all; a kill of the server still loses nothing. */
const NOT_DURABLE = { fsync: 'off', full_page_writes: 'off' }

/**
 * Starts the PostgreSQL that npm installed, on 127.0.0.1, with its data in `dataDir`. Creates the
 * database on the first start and ends a server that a killed run has left behind.
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
      if (!stopping) options.onExit?.(`${reason}: ${complaintOf(server)}`)
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

/** Starts the server; goes on to another free port, and waits for a killed server's processes. */
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
      throw new StartError(`The embedded Postgres did not start: ${complaintOf(server)}.`)
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

/** The server writes its state into the eighth line of postmaster.pid, as pg_ctl(1) reads it. */
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

const COMPLAINT = /^.*?\b((?:FATAL|PANIC|ERROR):)/

/** The last line in which the server complains, else the last one. */
const complaintOf = (server: Child): string => {
  const lines = server.lastLines()
  const complaint = lines.findLast((line) => COMPLAINT.test(line)) ?? lines.at(-1)
  // Before the server has read its settings, a line begins with the time and the process.
  return lastLine(complaint?.replace(COMPLAINT, '$1') ?? 'it said nothing')
}
