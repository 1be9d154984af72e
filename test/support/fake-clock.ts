import type { Clock } from '../../src/kernel/ports/clock.ts'

/** A clock that only the test moves. */
export type FakeClock = Clock & { advance(ms: number): void; set(time: Date): void }

export const createFakeClock = (start: Date = new Date()): FakeClock => {
  let nowMs = start.getTime()
  return {
    now: () => new Date(nowMs),
    isTrusted: () => true,
    advance: (ms) => {
      nowMs += ms
    },
    set: (time) => {
      nowMs = time.getTime()
    },
  }
}
