import { readFileSync } from 'node:fs'

const BYTES_IN_KB = 1_024
const BYTES_IN_MB = 1_000_000

/**
 * The resident memory of a process (VmRSS in proc_pid_status(5)), or null if the system does not
 * report it.
 */
export const memoryMbOf = (pid: number): number | null => {
  const text = readProc(`/proc/${pid}/status`)
  const kb = /^VmRSS:\s+(\d+) kB$/m.exec(text ?? '')?.[1]
  return kb === undefined ? null : (Number(kb) * BYTES_IN_KB) / BYTES_IN_MB
}

export const readProc = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
