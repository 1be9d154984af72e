import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { messageOf, StartError } from '../kernel/errors.ts'
import type { Account } from './postgres-account.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'

/** Root's last resort: PostgreSQL's programs and data in a folder that its account can enter. */
const BASE = '/var/lib/fundproof'
const POINTER = 'moved-to'

/** The folder with the copied data, if an earlier start made a copy. */
export const rememberedCopy = (folder: string): string | undefined => {
  const pointer = join(folder, POINTER)
  if (!existsSync(pointer)) return undefined
  const copy = readFileSync(pointer, 'utf8').trim()
  if (existsSync(copy)) return copy
  throw new StartError(
    `The database of ${folder} was in ${copy}, which is gone: ` +
      `bring it back, or delete ${pointer} to begin with an empty one.`,
  )
}

/** Records the folder of the data for the next start. */
export const rememberCopy = (folder: string, copy: string): void =>
  writeFileSync(join(folder, POINTER), `${copy}\n`)

/** Creates an empty folder that belongs to the account. */
export const copyFolder = (account: Account): string =>
  orStartError(() => {
    const folder = join(BASE, randomBytes(8).toString('hex'))
    mkdirSync(folder, { recursive: true, mode: 0o755 })
    chownSync(folder, account.uid, account.gid)
    return folder
  })

/** Copies the programs once per version, readable by all users (60 MB, 0.2 s). */
export const copyBinaries = (binaries: PostgresBinaries): string =>
  orStartError(() => {
    const target = join(BASE, `postgres-${binaries.version}`)
    if (existsSync(target)) return target
    const draft = `${target}.${process.pid}`
    rmSync(draft, { recursive: true, force: true })
    mkdirSync(BASE, { recursive: true, mode: 0o755 })
    cpSync(binaries.folder, draft, { recursive: true, verbatimSymlinks: true })
    for (const name of ['.', ...readdirSync(draft, { recursive: true, encoding: 'utf8' })]) {
      const path = join(draft, name)
      if (!lstatSync(path).isSymbolicLink()) chmodSync(path, 0o755)
    }
    renameSync(draft, target)
    return target
  })

const orStartError = <T>(work: () => T): T => {
  try {
    return work()
  } catch (error) {
    throw new StartError(`Postgres cannot be copied to ${BASE}: ${messageOf(error)}.`)
  }
}
