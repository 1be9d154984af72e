import { execFileSync } from 'node:child_process'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'

const Note = z.looseObject({ pid: z.int(), startTime: z.string() })

/** Identifies a process. Its start time differs from a later process with the same id. */
type Note = z.infer<typeof Note>

const POLL_MS = 20

/** Signals that end Postgres, from the gentlest to the hardest, with a wait after each signal. */
const ORDERLY = [
  { signal: 'SIGINT', waitMs: 4_000 },
  { signal: 'SIGQUIT', waitMs: 500 },
  { signal: 'SIGKILL', waitMs: 1_000 },
] as const

/**
 * The start time of a process: on Linux in clock ticks since boot, on other systems as the text
 * that `ps` prints. Undefined if the process does not run.
 */
const startTimeOf = (pid: number): string | undefined => {
  try {
    if (process.platform !== 'linux') {
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
    }
    // proc_pid_stat(5): skips the first two fields, because the second may contain spaces.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? undefined : fields[19]
  } catch {
    return undefined
  }
}

/** Whether a process with this id runs. */
export const isAlive = (pid: number): boolean => startTimeOf(pid) !== undefined

/** Ends a process within 5.5 s. `atOnce` kills it. Returns false if the process still runs. */
export const endProcess = async (
  { pid, startTime }: Note,
  { atOnce = false } = {},
): Promise<boolean> => {
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

/** Makes the note of a running process: its id and its start time. */
export const noteOf = (pid: number): Note => ({ pid, startTime: startTimeOf(pid) ?? '' })

/** Writes a note into a file (mode 0600), and replaces an existing file. */
export const writeNote = (path: string, note: Note): void => {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(note, null, 2)}\n`, { mode: 0o600 })
  renameSync(draft, path)
}

/** Reads the note in a file. Undefined if the file is not valid or if the process has ended. */
export const readNote = (path: string): Note | undefined => {
  try {
    const note = Note.parse(JSON.parse(readFileSync(path, 'utf8')))
    return startTimeOf(note.pid) === note.startTime ? note : undefined
  } catch {
    return undefined
  }
}
