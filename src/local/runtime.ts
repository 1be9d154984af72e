import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ChainConfig } from '../config/config.ts'
import { StartError } from '../kernel/errors.ts'
import { codeOf, startTimeOf } from './processes.ts'

/** Data of the running instance for other commands on this machine. */
export type Runtime = {
  databaseUrl: string
  chains: ChainConfig[]
  apiUrl: string
}

const Stored = z.object({
  pid: z.int(),
  startTime: z.string(),
  databaseUrl: z.string(),
  chains: z.array(ChainConfig),
  apiUrl: z.string(),
})

const RUNTIME = 'runtime.json'
const SECRET = 'secret'
const SECRET_FORM = /^[0-9a-f]{64}$/

/**
 * Writes how other commands (`npm run check`, `npm run demo`) reach this process. Mode 0600. Does
 * not overwrite the file of another live process. Returns the process id in the file.
 */
export const writeRuntime = (dataDir: string, runtime: Runtime): number => {
  const running = readRuntime(dataDir)?.pid ?? process.pid
  if (running !== process.pid) return running
  mkdirSync(dataDir, { recursive: true, mode: 0o711 })
  const stored = { pid: process.pid, startTime: startTimeOf(process.pid) ?? '', ...runtime }
  const draft = join(dataDir, `${RUNTIME}.${process.pid}`)
  writeFileSync(draft, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 })
  renameSync(draft, join(dataDir, RUNTIME))
  return process.pid
}

/** Removes the file of this process. */
export const removeRuntime = (dataDir: string): void => {
  if (readRuntime(dataDir)?.pid === process.pid) rmSync(join(dataDir, RUNTIME), { force: true })
}

/** The live instance of this folder; undefined if there is none. */
export const readRuntime = (dataDir: string): (Runtime & { pid: number }) | undefined => {
  let text: string
  try {
    text = readFileSync(join(dataDir, RUNTIME), 'utf8')
  } catch {
    return undefined
  }
  const stored = Stored.safeParse(parse(text)).data
  if (stored === undefined || startTimeOf(stored.pid) !== stored.startTime) return undefined
  const { startTime: _, ...runtime } = stored
  return runtime
}

/**
 * The sandbox's own SECRET, created on the first start: 64 hex digits in a 0600 file.
 *
 * @throws StartError for other content, because a new secret could not open existing sealed data
 */
export const loadOrCreateSecret = (dataDir: string): string => {
  mkdirSync(dataDir, { recursive: true, mode: 0o711 })
  const path = join(dataDir, SECRET)
  try {
    writeFileSync(path, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  const secret = readFileSync(path, 'utf8').trim()
  if (SECRET_FORM.test(secret)) return secret
  throw new StartError(`${path} does not hold 64 hex digits: restore it, or set SECRET.`)
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
