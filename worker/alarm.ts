import type { Clock } from '../src/kernel/ports/clock.ts'

/** Calls `ring` at the earliest of the times that `at` got since the last call of `ring`. */
type Alarm = { at(time: Date): void; stop(): void }

/** `at` ignores times further ahead than this, because the caller looks for work before then. */
const MAX_MS = 60_000

export const createAlarm = (clock: Clock, ring: () => void): Alarm => {
  let timer: NodeJS.Timeout | undefined
  let setTo = Number.POSITIVE_INFINITY
  let stopped = false

  const wait = (): void => {
    timer = setTimeout(check, Math.max(0, setTo - clock.now().getTime()))
    timer.unref()
  }
  /** Rings if the time has come. Waits again if the timer fired too early. */
  const check = (): void => {
    if (clock.now().getTime() < setTo) wait()
    else {
      setTo = Number.POSITIVE_INFINITY
      ring()
    }
  }
  return {
    at(time) {
      if (stopped || time.getTime() >= setTo) return
      if (time.getTime() - clock.now().getTime() > MAX_MS) return
      clearTimeout(timer)
      setTo = time.getTime()
      wait()
    },
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
