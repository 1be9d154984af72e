import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf, StartError } from '../kernel/errors.ts'
import type { Log } from '../kernel/ports/log.ts'
import { claimFolder } from './folder-lock.ts'
import { choosePostgresHost, findPostgres, type PostgresHost, type Reach } from './postgres-host.ts'
import {
  type Command,
  endLeftover,
  errorLineOf,
  freePort,
  runToEnd,
  startServer,
} from './server.ts'

export type PostgresOptions = {
  /** The data folder; Postgres uses its `postgres` subfolder. */
  dataDir: string
  log: Log
  /** The port of the server. Default: a free port. */
  port?: number | undefined
  /** If false (only in tests), the server is faster but a power cut may lose data. Default true. */
  durable?: boolean
  /** Further settings, by their names in postgresql.conf. */
  settings?: Record<string, string>
  /** The ways that {@link choosePostgresHost} tries if root starts the server. Default: all. */
  ways?: readonly Reach[]
  /** Called when the server ends unexpectedly. */
  onExit?: (reason: string) => void
}

const NAME = 'The embedded Postgres'
/** The name of the superuser and of the database. */
const FUNDPROOF = 'fundproof'
const MAX_TRIES = 25
const RETRY_WAIT_MS = 200
/** The start is tried again after these errors, because their cause often ends by itself. */
const MAY_PASS = /could not create any TCP\/IP sockets|pre-existing shared memory block/

/** Settings for a machine with two cores and some hundred megabytes of free memory. */
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

/** With these settings, a power cut may lose all data, but a killed server loses no data. */
const NOT_DURABLE = { fsync: 'off', full_page_writes: 'off' }

/**
 * Starts the PostgreSQL that npm installed, on 127.0.0.1, with its data in `dataDir`. Creates the
 * database at the first start. Ends a server that an earlier run of Fundproof left running.
 *
 * @throws StartError, for example if the port is taken or another process uses the data
 */
export const startPostgres = async (options: PostgresOptions) => {
  const { log } = options
  const { folder, release } = claimFolder(options.dataDir, 'postgres')
  try {
    await endLeftover(folder, log)
    const host = choosePostgresHost(realpathSync(folder), findPostgres(), log, options.ways)
    const password = ensureCluster(host, options.durable ?? true)
    const { server, port } = await launch(host, folder, options)
    server.ended.then((reason) => {
      release()
      if (reason !== undefined) options.onExit?.(reason)
    })
    const url = `postgres://${FUNDPROOF}:${password}@127.0.0.1:${port}/${FUNDPROOF}`
    return { url, port, pid: server.pid, reach: host.reach, stop: server.stop }
  } catch (error) {
    release()
    throw error
  }
}

const launch = async (host: PostgresHost, folder: string, options: PostgresOptions) => {
  const settings = {
    ...SETTINGS,
    ...(options.durable === false ? NOT_DURABLE : {}),
    ...options.settings,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  for (let attempt = 1; ; attempt++) {
    const port = await freePort(options.port).catch(() => {
      throw new StartError(`${NAME} did not start: port ${options.port} is taken.`)
    })
    const args = ['-D', join(host.folder, 'data'), ...flags, '-c', `port=${port}`]
    try {
      const server = await startServer(host.command('postgres', args), {
        name: NAME,
        ready: /database system is ready to accept connections/,
        folder,
        log: options.log.child({ part: 'postgres' }),
      })
      return { server, port }
    } catch (error) {
      if (attempt === MAX_TRIES || !MAY_PASS.test(messageOf(error))) throw error
    }
    await sleep(RETRY_WAIT_MS)
  }
}

/**
 * Creates the database cluster unless it exists. Its locale C.UTF-8 sorts text equally on all
 * systems. Creates the cluster in another folder and renames this folder at the end, so that an
 * interrupted first start can be repeated.
 *
 * @returns the superuser's password
 */
const ensureCluster = (host: PostgresHost, durable: boolean): string => {
  const data = join(host.folder, 'data')
  const passwordFile = join(host.folder, 'password')
  // Removes the file of an ended server. Postgres would not start if a new process had its id.
  rmSync(join(data, 'postmaster.pid'), { force: true })
  if (existsSync(data)) return readFileSync(passwordFile, 'utf8').trim()
  const password = randomBytes(24).toString('hex')
  const draft = join(host.folder, 'data.new')
  rmSync(draft, { recursive: true, force: true })
  setUp(
    host.command('initdb', [
      `--pgdata=${draft}`,
      `--username=${FUNDPROOF}`,
      '--auth-host=scram-sha-256',
      '--auth-local=reject',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      ...(durable ? [] : ['--no-sync']),
    ]),
  )
  // In its single-user mode, Postgres reads SQL from standard input, so no client is needed.
  const single = host.command('postgres', ['--single', '-D', draft, 'postgres'])
  const setPassword = `ALTER ROLE ${FUNDPROOF} PASSWORD '${password}'`
  setUp(single, `${setPassword}\nCREATE DATABASE ${FUNDPROOF}\n`)
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
  renameSync(draft, data)
  return password
}

/** Runs a setup command. Looks for errors in the output, because the exit code may be 0. */
const setUp = (command: Command, input?: string): void => {
  const { ok, output } = runToEnd(command, input)
  if (ok && !/\b(?:ERROR|FATAL|PANIC):/.test(output)) return
  throw new StartError(`${NAME} could not be set up: ${errorLineOf(output)}.`)
}
