import type { Clock } from '../src/kernel/ports/clock.ts'

/** Rings once, at the earliest of its times. */
type Alarm = { at(time: Date): void; stop(): void }

/** Later times are ignored, because a sweep finds that work. */
const MAX_MS = 60_000

export const createAlarm = (clock: Clock, ring: () => void): Alarm => {
  let timer: NodeJS.Timeout | undefined
  let setTo = Number.POSITIVE_INFINITY
  let stopped = false

  const wait = (): void => {
    timer = setTimeout(check, Math.max(0, setTo - clock.now().getTime()))
    timer.unref()
  }
  /** A timer may fire slightly early. */
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
