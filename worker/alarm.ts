import type { Clock } from '../src/kernel/ports/clock.ts'

/** `at` sets the time of the next `ring`. If it is called several times, the earliest counts. */
type Alarm = { at(time: Date): void; stop(): void }

/** `at` ignores times further ahead, because the caller searches for work before then anyway. */
const MAX_MS = 60_000

export const createAlarm = (clock: Clock, ring: () => void): Alarm => {
  let timer: NodeJS.Timeout | undefined
  let setTo = Number.POSITIVE_INFINITY
  let stopped = false

  const wait = (): void => {
    timer = setTimeout(check, Math.max(0, setTo - clock.now().getTime()))
    timer.unref()
  }
  /** Calls `ring` if the time has come. Waits again if the timer fired too early. */
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
