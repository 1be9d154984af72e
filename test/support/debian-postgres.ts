import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { createLog } from '../../src/kernel/ports/log.ts'
import { choosePostgresHost } from '../../src/local/postgres-host.ts'
import { freePort, runToEnd, startServer } from '../../src/local/server.ts'

/** The folder in which Debian installs the versions of PostgreSQL with their client programs. */
const BASE = '/usr/lib/postgresql'
const PROGRAMS = ['initdb', 'postgres', 'pg_dump', 'pg_restore']

/** The newest version that has all programs: `15` on Debian 12. */
const version = (existsSync(BASE) ? readdirSync(BASE) : [])
  .filter((name) => PROGRAMS.every((program) => existsSync(join(BASE, name, 'bin', program))))
  .toSorted((a, b) => Number(b) - Number(a))[0]

export const hasDebianPostgres = version !== undefined
if (!hasDebianPostgres) console.warn(`Skipped: no PostgreSQL in ${BASE} (apt install postgresql).`)

export type DebianPostgres = {
  /** Runs SQL as the superuser in the maintenance database. */
  administer(statements: string): Promise<void>
  urlOf(user: string, database: string): string
  /** Runs a program of PostgreSQL in the server's folder. */
  run(program: string, args: string[]): { ok: boolean; output: string }
  /** The folder of the data, and the port. */
  data: string
  port: number
  stop(): Promise<void>
}

type DebianOptions = {
  settings?: readonly string[]
  /** Copies this running server, and follows it as a standby. */
  primary?: DebianPostgres
  /** Puts files into the folder of the data before the server starts. */
  prepare?: (data: string) => void
}

/** Starts a cluster of Debian's PostgreSQL, whose only role is the superuser. */
export const startDebianPostgres = async (options: DebianOptions = {}): Promise<DebianPostgres> => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fundproof-debian-')))
  const log = createLog(process.env.TEST_LOG_LEVEL ?? 'silent', 'test')
  if (version === undefined) throw new Error('Debian has no PostgreSQL here')
  const host = choosePostgresHost(folder, join(BASE, version), log)
  const data = join(host.folder, 'data')
  const { settings = [], primary, prepare } = options
  const copied = `--dbname=${primary?.urlOf('postgres', 'postgres')}`
  const made = runToEnd(
    primary
      ? host.command('pg_basebackup', [
          copied,
          `--pgdata=${data}`,
          '--write-recovery-conf',
          '--checkpoint=fast',
          '--no-sync',
        ])
      : host.command('initdb', [
          `--pgdata=${data}`,
          '--username=postgres',
          '--auth=trust',
          '--encoding=UTF8',
          '--locale=C.UTF-8',
          '--no-sync',
        ]),
  )
  if (!made.ok) throw new Error(made.output)
  prepare?.(data)
  const port = await freePort()
  const flags = [
    ...settings,
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'fsync=off',
  ]
  const args = ['-D', data, ...flags.flatMap((flag) => ['-c', flag])]
  const server = await startServer(host.command('postgres', args), {
    name: 'The Postgres of Debian',
    ready: /database system is ready to accept (read-only )?connections/,
  })
  const urlOf = (user: string, database: string) =>
    `postgres://${user}@127.0.0.1:${port}/${database}`
  const administer = async (statements: string): Promise<void> => {
    const sql = postgres(urlOf('postgres', 'postgres'), { max: 1, onnotice: () => {} })
    try {
      await sql.unsafe(statements)
    } finally {
      await sql.end({ timeout: 1 })
    }
  }
  return {
    administer,
    urlOf,
    data,
    port,
    run: (program, args) => runToEnd(host.command(program, args)),
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
