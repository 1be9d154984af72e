/**
 * Preloaded into a process of the service (`node --import`): its clock is `CLOCK_AHEAD_MS` ahead, as
 * after a wrong answer of a time server. Monotonic time (`performance.now`) goes on as it is.
 */
const RealDate = Date
const nowMs = (): number => RealDate.now() + Number(process.env.CLOCK_AHEAD_MS)

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [nowMs()] : given, newTarget) as Date,
  get: (target, key) => (key === 'now' ? nowMs : Reflect.get(target, key)),
})
