import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../kernel/errors.ts'
import { runToEnd } from './child.ts'
import { lastLine, type PostgresHost } from './postgres-host.ts'
import { isAlive, signal, waitUntilGone, workingFolderOf } from './processes.ts'

export const SUPERUSER = 'fundproof'
export const DATABASE = 'fundproof'

const INITDB_TIMEOUT_MS = 120_000
const LEFTOVER_FAST_MS = 4_000
const LEFTOVER_IMMEDIATE_MS = 2_000

/**
 * Creates the database cluster unless it exists: UTF-8 with PostgreSQL's built-in C.UTF-8 locale
 * (the same on every system), SCRAM passwords, page checksums. Built in a draft folder and renamed
 * when complete, so that an interrupted first start can be repeated.
 *
 * @returns the superuser's password
 * @throws StartError with initdb's error, or if the data has another major version
 */
export const ensureCluster = async (
  host: PostgresHost,
  major: string,
  durable: boolean,
): Promise<string> => {
  const data = join(host.folder, 'data')
  const passwordFile = join(host.folder, 'password')
  if (existsSync(data)) {
    const found = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()
    if (found !== major) {
      throw new StartError(`${data} was written by Postgres ${found}, this is Postgres ${major}.`)
    }
    return readFileSync(passwordFile, 'utf8').trim()
  }
  const password = randomBytes(24).toString('hex')
  rmSync(passwordFile, { force: true })
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
  if (host.account) chownSync(passwordFile, host.account.uid, host.account.gid)
  const draft = join(host.folder, 'data.new')
  rmSync(draft, { recursive: true, force: true })
  await create(host, draft, passwordFile, durable)
  renameSync(draft, data)
  return password
}

const create = async (
  host: PostgresHost,
  draft: string,
  passwordFile: string,
  durable: boolean,
) => {
  const initdb = host.command('initdb', [
    `--pgdata=${draft}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ])
  const created = await runToEnd(initdb, INITDB_TIMEOUT_MS)
  if (!created.ok) throw failed(created.output)
  // A single-user server needs no client, but reports errors only in its output.
  const single = host.command('postgres', ['--single', '-D', draft, 'postgres'])
  const createdDatabase = await runToEnd(single, INITDB_TIMEOUT_MS, `CREATE DATABASE ${DATABASE}\n`)
  const errorLine = /^.*\b(?:ERROR|FATAL|PANIC):.*$/m.exec(createdDatabase.output)?.[0]
  if (!createdDatabase.ok || errorLine) throw failed(errorLine ?? createdDatabase.output)
}

const failed = (output: string): StartError =>
  new StartError(`The embedded Postgres could not be set up: ${errorLineOf(output)}.`)

/** The line of initdb's output with the error; later lines are about the clean-up. */
const errorLineOf = (output: string): string => {
  const lines = output.split('\n')
  const line = lines.findLast((text) => /\b(?:error|ERROR|FATAL|PANIC):/.test(text))
  return lastLine(line ?? output)
}

/**
 * Ends the server of a killed Fundproof on this data. Only call it while holding the folder's lock.
 * Committed data is on disk, so a fast shutdown loses nothing.
 *
 * @returns the process id of the ended server
 * @throws StartError if the server does not end
 */
export const endLeftover = async (dataFolder: string): Promise<number | undefined> => {
  const file = join(dataFolder, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0])
  if (!Number.isInteger(pid) || pid <= 1 || !isAlive(pid)) return undefined
  const cwd = workingFolderOf(pid)
  if (cwd !== undefined && cwd !== dataFolder) {
    // Another process has the dead server's id now; with this file Postgres would not start.
    rmSync(file)
    return undefined
  }
  signal(pid, 'SIGINT')
  if (await waitUntilGone(pid, LEFTOVER_FAST_MS)) return pid
  signal(pid, 'SIGQUIT')
  if (await waitUntilGone(pid, LEFTOVER_IMMEDIATE_MS)) return pid
  throw new StartError(`A Postgres of an earlier run (pid ${pid}) does not end: kill it.`)
}
