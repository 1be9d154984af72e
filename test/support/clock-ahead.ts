/**
 * Preloaded into a process of the service (`node --import`). Sets its clock ahead by
 * `CLOCK_AHEAD_MS`, as after a wrong answer of a time server, and after SIGUSR2 by
 * `CLOCK_LATER_AHEAD_MS`. Monotonic time (`performance.now`) does not change.
 */
const RealDate = Date
const { CLOCK_AHEAD_MS = 0, CLOCK_LATER_AHEAD_MS = 0 } = process.env
let aheadMs = Number(CLOCK_AHEAD_MS)
process.on('SIGUSR2', () => {
  aheadMs = Number(CLOCK_LATER_AHEAD_MS)
})
const nowMs = (): number => RealDate.now() + aheadMs

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [nowMs()] : given, newTarget) as Date,
  get: (target, key) => (key === 'now' ? nowMs : Reflect.get(target, key)),
})
