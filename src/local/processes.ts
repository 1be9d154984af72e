import { execFileSync } from 'node:child_process'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'

const Note = z.looseObject({ pid: z.int(), startTime: z.string() })

/** A process, and data about it. The start time differs between two processes with the same id. */
type Note = z.infer<typeof Note>

const POLL_MS = 20

/** Postgres shuts down fast, then immediately (postgres(1)): committed work is safe each time. */
const ORDERLY = [
  { signal: 'SIGINT', waitMs: 4_000 },
  { signal: 'SIGQUIT', waitMs: 500 },
  { signal: 'SIGKILL', waitMs: 1_000 },
] as const

/**
 * The start time of a process of any user: on Linux in clock ticks since boot, elsewhere by `ps`.
 * Undefined if the process does not run.
 */
const startTimeOf = (pid: number): string | undefined => {
  try {
    if (process.platform !== 'linux') {
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
    }
    // proc_pid_stat(5): fields from the third on, because the second may hold spaces.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? undefined : fields[19]
  } catch {
    return undefined
  }
}

/** Whether a process with this id runs. */
export const isAlive = (pid: number): boolean => startTimeOf(pid) !== undefined

/** Ends a server in at most 5.5 seconds, or at once. False if it still runs. */
export const endProcess = async ({ pid, startTime }: Note, atOnce = false): Promise<boolean> => {
  const runs = () => startTimeOf(pid) === startTime
  for (const { signal, waitMs } of atOnce ? ORDERLY.slice(-1) : ORDERLY) {
    if (!runs()) return true
    try {
      process.kill(pid, signal)
    } catch {
      return !runs()
    }
    const deadline = Date.now() + waitMs
    while (runs() && Date.now() < deadline) await sleep(POLL_MS)
  }
  return !runs()
}

/** The note of a running process. */
export const noteOf = (pid: number): Note => ({ pid, startTime: startTimeOf(pid) ?? '' })

/** Replaces a file. Mode 0600. */
export const writeNote = (path: string, note: Note): void => {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(note, null, 2)}\n`, { mode: 0o600 })
  renameSync(draft, path)
}

/** Undefined if the file is missing or damaged, or its process has ended. */
export const readNote = (path: string): Note | undefined => {
  try {
    const note = Note.parse(JSON.parse(readFileSync(path, 'utf8')))
    return startTimeOf(note.pid) === note.startTime ? note : undefined
  } catch {
    return undefined
  }
}
