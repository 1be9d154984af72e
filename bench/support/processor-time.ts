import { readdirSync, readFileSync } from 'node:fs'

/** USER_HZ, the unit of proc_pid_stat(5): 100 wherever Node runs. */
const TICKS_PER_S = 100

type Stat = { parent: number; ownS: number; endedChildrenS: number }

/**
 * Fields of proc_pid_stat(5), counted after the name, because a name may contain spaces and
 * brackets.
 */
const statOf = (pid: number): Stat | null => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const seconds = (...at: number[]) =>
      at.reduce((sum, index) => sum + Number(fields[index]), 0) / TICKS_PER_S
    return { parent: Number(fields[1]), ownS: seconds(11, 12), endedChildrenS: seconds(13, 14) }
  } catch {
    return null
  }
}

/** The user and system time of a process in seconds, or null if the system does not report it. */
export const cpuOf = (pid: number): number | null => statOf(pid)?.ownS ?? null

/** The user and system time of a process and its children, also of those that have ended. */
export const cpuOfFamily = (pid: number): number | null => {
  const parent = statOf(pid)
  if (!parent) return null
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)) ?? [])
    .filter((stat) => stat.parent === pid)
  return children.reduce((sum, { ownS }) => sum + ownS, parent.ownS + parent.endedChildrenS)
}
