import type { Clock } from '../src/kernel/ports/clock.ts'

/** Calls `ring` once, at the earliest time that was set. */
type Alarm = { at(time: Date): void; stop(): void }

/** A time further ahead than this is ignored, because a sweep finds its work. */
const MAX_MS = 60_000

export const createAlarm = (clock: Clock, ring: () => void): Alarm => {
  let timer: NodeJS.Timeout | undefined
  let setTo = Number.POSITIVE_INFINITY
  let stopped = false

  const wait = (): void => {
    timer = setTimeout(check, Math.max(0, setTo - clock.now().getTime()))
    timer.unref()
  }
  /** A timer may fire early. Then waits again. */
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
