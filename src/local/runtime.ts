import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ChainConfig, type Config } from '../config/config.ts'
import { StartError } from '../kernel/errors.ts'
import { noteOf, readNote, writeNote } from './processes.ts'

const Stored = z.object({
  pid: z.int(),
  databaseUrl: z.string(),
  chains: z.array(ChainConfig),
  apiUrl: z.string(),
})

/** The URLs and chains of the running service, for other commands on this machine. */
type Runtime = Omit<z.infer<typeof Stored>, 'pid'>

const SECRET_FORM = /^[0-9a-f]{64}$/

/** Creates the data folder. All users may enter it, because Postgres may run as another user. */
export const createDataFolder = (dataDir: string): void => {
  mkdirSync(dataDir, { recursive: true, mode: 0o711 })
}

const runtimePath = (dataDir: string): string => join(dataDir, 'runtime.json')

/**
 * Writes the file (mode 0600) with which `npm run check` and `npm run demo` find this process.
 * Writes nothing if another running process has written the file. Returns the id of the process
 * that wrote the file.
 */
export const writeRuntime = (dataDir: string, runtime: Runtime): number => {
  const running = readRuntime(dataDir)?.pid ?? process.pid
  if (running !== process.pid) return running
  createDataFolder(dataDir)
  writeNote(runtimePath(dataDir), { ...noteOf(process.pid), ...runtime })
  return process.pid
}

/** Removes the file of {@link writeRuntime} if this process wrote it. */
export const removeRuntime = (dataDir: string): void => {
  if (readRuntime(dataDir)?.pid === process.pid) rmSync(runtimePath(dataDir))
}

/** Data of the running process that uses this folder; undefined if no such process runs. */
export const readRuntime = (dataDir: string): (Runtime & { pid: number }) | undefined =>
  Stored.safeParse(readNote(runtimePath(dataDir))).data

/**
 * The URL of the configured database, without a pooler between, or else of the running embedded
 * database. Throws StartError if there is neither.
 */
export const databaseUrlOf = ({ databaseUrl, databaseDirectUrl, dataDir }: Config): string => {
  const url = databaseDirectUrl ?? databaseUrl ?? readRuntime(dataDir)?.databaseUrl
  if (!url) throw new StartError('Set DATABASE_URL, or start Fundproof with `npm start`.')
  return url
}

/**
 * Reads the secret of this data folder (64 hex digits, mode 0600). The first call creates it.
 *
 * @throws StartError if the file is not valid; a new secret could not decrypt the existing data
 */
export const loadOrCreateSecret = (dataDir: string): string => {
  createDataFolder(dataDir)
  const path = join(dataDir, 'secret')
  try {
    writeFileSync(path, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
  } catch {
    // The file exists already. After any other error, the read below throws.
  }
  const secret = readFileSync(path, 'utf8').trim()
  if (SECRET_FORM.test(secret)) return secret
  throw new StartError(`${path} does not hold 64 hex digits: restore it, or set SECRET.`)
}
