import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../kernel/errors.ts'
import { codeOf, startTimeOf } from './processes.ts'

type Owner = { pid: number; startTime: string }

const MAX_TRIES = 5

/**
 * Locks a folder for this process until release or exit. The lock file holds the process id and its
 * start time, so that a killed owner, or another process with the same id, does not keep the lock.
 *
 * @throws StartError with the owner's process id if a live process holds the folder
 */
export const lockFolder = (folder: string): { release(): void } => {
  const path = join(folder, 'lock')
  const mine: Owner = { pid: process.pid, startTime: startTimeOf(process.pid) ?? '' }
  // A link appears with its whole content, so no process reads a partial file.
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, JSON.stringify(mine))
  try {
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      if (tryLink(draft, path)) return { release: () => rmSync(path, { force: true }) }
      const owner = readOwner(path)
      if (owner && startTimeOf(owner.pid) === owner.startTime) throw inUse(folder, owner.pid)
      if (owner) setAside(path, owner)
    }
  } finally {
    rmSync(draft, { force: true })
  }
  throw new StartError(`The lock file ${path} changes all the time.`)
}

const inUse = (folder: string, pid: number): StartError =>
  new StartError(`Another Fundproof (pid ${pid}) is already running on ${folder}.`)

const tryLink = (draft: string, path: string): boolean => {
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** Removes a dead owner's lock file. Restores it if another process has just replaced it. */
const setAside = (path: string, dead: Owner): void => {
  const aside = `${path}.${process.pid}.old`
  try {
    renameSync(path, aside)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw error
  }
  const moved = readOwner(aside)
  if (moved && (moved.pid !== dead.pid || moved.startTime !== dead.startTime)) tryLink(aside, path)
  rmSync(aside, { force: true })
}

/** Undefined if the file is gone. An unreadable file counts as a dead owner's. */
const readOwner = (path: string): Owner | undefined => {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
  const [, pid = '0', startTime = ''] = /^\{"pid":(\d+),"startTime":"([^"]*)"\}$/.exec(text) ?? []
  return { pid: Number(pid), startTime }
}
