import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { messageOf, StartError } from '../kernel/errors.ts'
import { createDataFolder } from './runtime.ts'

const LOCK_TIMEOUT_MS = 200

/** Creates the subfolder `part` of the data folder, and locks it. */
export const claimFolder = (dataDir: string, part: string) => {
  createDataFolder(dataDir)
  const folder = join(dataDir, part)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return { folder, release: lockFolder(folder) }
}

/**
 * Locks a folder for this process until the returned function is called or garbage-collected. The
 * lock is an open SQLite transaction, which ends together with the process, even after a kill.
 *
 * @throws StartError if another process has locked the folder; the message has that process's id
 */
export const lockFolder = (folder: string): (() => void) => {
  const lock = new DatabaseSync(join(folder, 'lock.sqlite'), { timeout: LOCK_TIMEOUT_MS })
  try {
    // SQLite leaves `user_version` to applications: here the value is the lock owner's process id.
    lock.exec(`begin exclusive; pragma user_version = ${process.pid}; commit; begin immediate`)
  } catch (error) {
    const problem = messageOf(error)
    if (problem !== 'database is locked') throw new StartError(`${folder}: ${problem}.`)
    const owner = lock.prepare('pragma user_version').get()?.user_version
    throw new StartError(`Another Fundproof (pid ${owner}) is already running on ${folder}.`)
  }
  return () => {
    if (lock.isOpen) lock.close()
  }
}
