import { linkSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../kernel/errors.ts'
import { noteOf, readNote, writeNote } from './processes.ts'

const MAX_TRIES = 5

/** Creates the data folder. Other users may pass through it, because Postgres may run as one. */
export const createDataFolder = (dataDir: string): void => {
  mkdirSync(dataDir, { recursive: true, mode: 0o711 })
}

/**
 * Creates the folder of one part below the data folder and locks it for this process.
 *
 * @throws StartError with the owner's process id if a live process holds the folder
 */
export const claimFolder = (dataDir: string, part: string) => {
  createDataFolder(dataDir)
  const folder = join(dataDir, part)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return { folder, ...lockFolder(folder) }
}

/**
 * Locks a folder for this process until release or exit. The lock file holds the process id and its
 * start time, so that a killed owner, or another process with the same id, does not keep the lock.
 */
export const lockFolder = (folder: string): { release(): void } => {
  const path = join(folder, 'lock')
  const draft = `${path}.${process.pid}`
  const aside = `${draft}.old`
  writeNote(draft, noteOf(process.pid))
  try {
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      // A link appears with its whole content, so no process reads a partial file.
      if (works(() => linkSync(draft, path))) {
        let isHeld = true
        const release = () => {
          if (isHeld) rmSync(path, { force: true })
          isHeld = false
        }
        return { release }
      }
      const owner = readNote(path)
      if (owner) {
        throw new StartError(
          `Another Fundproof (pid ${owner.pid}) is already running on ${folder}.`,
        )
      }
      // Another start may have replaced the dead owner's file a moment ago: then put it back.
      if (works(() => renameSync(path, aside)) && readNote(aside)) {
        works(() => linkSync(aside, path))
      }
    }
  } finally {
    rmSync(draft, { force: true })
    rmSync(aside, { force: true })
  }
  throw new StartError(`The folder ${folder} cannot be locked.`)
}

const works = (work: () => void): boolean => {
  try {
    work()
    return true
  } catch {
    return false
  }
}
