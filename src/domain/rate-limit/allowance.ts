import { type Policy, windowStartMs } from './policy.ts'

/** One caller's allowance in one window, as this process knows it. */
export type Allowance = {
  readonly id: string
  /** Hash of the id, its name in the database. */
  readonly key: string
  readonly quota: number
  readonly windowStart: number
  readonly endMs: number
  /** Leased by this process and not used yet. */
  held: number
  /** What was left for everybody when we leased last. */
  left: number
  /** The least that was told to be left: it never grows within a window. */
  told: number
  /** How often this process said yes. */
  granted: number
  /** When one was used last. */
  usedAtMs: number
  /** Nothing is left; not asked again before. */
  refusedUntilMs: number
  waiting: ((allowed: boolean) => void)[]
}

export const createAllowance = (
  { quota, windowMs }: Policy,
  id: string,
  key: string,
  nowMs: number,
): Allowance => {
  const windowStart = windowStartMs(key, windowMs, nowMs)
  return {
    id,
    key,
    quota,
    windowStart,
    endMs: windowStart + windowMs,
    held: 0,
    left: quota,
    told: quota,
    granted: 0,
    usedAtMs: nowMs,
    refusedUntilMs: 0,
    waiting: [],
  }
}

/** Not after the end of the window, nor before its start, where a clock that was ahead was set back. */
export const isWithin = ({ windowStart, endMs }: Allowance, nowMs: number): boolean =>
  windowStart <= nowMs && nowMs < endMs

/** Uses one of what is held. False where nothing is. */
export const useOne = (allowance: Allowance, nowMs: number): boolean => {
  if (allowance.held === 0) return false
  allowance.held--
  allowance.granted++
  allowance.usedAtMs = nowMs
  return true
}

/** Without the database: this process alone stays within the quota. */
export const useLocally = (allowance: Allowance, nowMs: number): boolean => {
  if (useOne(allowance, nowMs)) return true
  if (allowance.granted >= allowance.quota) return false
  allowance.granted++
  return true
}
