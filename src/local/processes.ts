import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 20

/** Whether a process with this id exists, of any user. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return !isZombie(pid)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/**
 * The start time of a process, which differs between two processes with the same id: on Linux in
 * clock ticks since boot (proc_pid_stat(5), field 22), elsewhere by `ps`. Undefined without such a
 * process.
 */
export const startTimeOf = (pid: number): string | undefined => {
  if (process.platform === 'linux') return statFields(pid)?.[19]
  try {
    const text = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' })
    return text.trim() || undefined
  } catch {
    return undefined
  }
}

/** The working folder of a process; undefined if the system does not show it. */
export const workingFolderOf = (pid: number): string | undefined => {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}

/** Sends a signal. Does nothing if the process is gone. */
export const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

/** Waits for the end of a process that is not our child. False after the timeout. */
export const waitUntilGone = async (pid: number, timeoutMs: number): Promise<boolean> => {
  const deadline = Date.now() + timeoutMs
  while (isAlive(pid)) {
    if (Date.now() >= deadline) return false
    await sleep(POLL_MS)
  }
  return true
}

/** The `code` of a system error (`ENOENT`, `EACCES`, …), undefined for anything else. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined

const isZombie = (pid: number): boolean =>
  process.platform === 'linux' && statFields(pid)?.[0] === 'Z'

/** The fields of /proc/<pid>/stat from the third on, because the second may hold spaces. */
const statFields = (pid: number): string[] | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}
