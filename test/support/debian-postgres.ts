import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { createLog } from '../../src/kernel/ports/log.ts'
import { choosePostgresHost, type PostgresHost } from '../../src/local/postgres-host.ts'
import { isAlive } from '../../src/local/processes.ts'
import { freePort, runToEnd, startServer } from '../../src/local/server.ts'

/** The folder in which Debian installs the versions of PostgreSQL with their client programs. */
const BASE = '/usr/lib/postgresql'
const PROGRAMS = ['initdb', 'postgres', 'pg_basebackup', 'pg_dump', 'pg_restore']

/** The newest version that has all programs: `15` on Debian 12. */
const version = (existsSync(BASE) ? readdirSync(BASE) : [])
  .filter((name) => PROGRAMS.every((program) => existsSync(join(BASE, name, 'bin', program))))
  .toSorted((a, b) => Number(b) - Number(a))[0]

export const hasDebianPostgres = version !== undefined
if (!hasDebianPostgres) console.warn(`Skipped: no PostgreSQL in ${BASE} (apt install postgresql).`)

/** Makes a folder for Debian's PostgreSQL, and finds the user who runs its programs there. */
export const debianHost = (): PostgresHost => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fundproof-debian-')))
  const log = createLog(process.env.TEST_LOG_LEVEL ?? 'silent', 'test')
  if (version === undefined) throw new Error('Debian has no PostgreSQL here')
  return choosePostgresHost(folder, join(BASE, version), log)
}

/** Kills a process and all its children at once, as when a machine loses its power. */
export const killTree = (pid: number): void => {
  if (!isAlive(pid)) return
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? []
  process.kill(pid, 'SIGKILL')
  for (const child of children) killTree(Number(child))
}

export type DebianPostgres = {
  /** Runs SQL as the superuser in the maintenance database. */
  administer(statements: string): Promise<void>
  urlOf(user: string, database: string): string
  /** Runs a program of PostgreSQL in the server's folder. */
  run(program: string, args: string[]): { ok: boolean; output: string }
  /** The folder of the data, and the port. */
  data: string
  port: number
  /** Copies the server, and starts the copy as a standby with this name, which follows it. */
  addStandby(name: string): Promise<DebianPostgres>
  promote(): Promise<void>
  kill(): void
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
  const host = debianHost()
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
  const started: DebianPostgres = {
    administer,
    urlOf,
    data,
    port,
    run: (program, args) => runToEnd(host.command(program, args)),
    // A standby has the name of its cluster for its primary.
    addStandby: (name) =>
      startDebianPostgres({ primary: started, settings: [`cluster_name=${name}`] }),
    async promote() {
      const { ok, output } = started.run('pg_ctl', ['promote', '-D', data])
      if (!ok) throw new Error(output)
    },
    kill: () => killTree(server.pid),
    async stop() {
      await server.stop()
      rmSync(host.folder, { recursive: true, force: true })
    },
  }
  return started
}
