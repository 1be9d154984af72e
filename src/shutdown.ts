import { messageOf, StartError } from './kernel/errors.ts'

/** Longest time that an orderly end may take before the process ends all the same. */
const END_MS = 4_800

/**
 * Runs a half until SIGINT or SIGTERM. `start` returns what ends it. A StartError is one line and
 * exit code 1; an error that nobody caught ends the process too, because its state is unknown.
 */
export const runUntilStopped = async (
  start: (fail: (reason: string) => void) => Promise<() => Promise<void>>,
): Promise<void> => {
  let stop: (() => Promise<void>) | undefined
  let ending = false
  const end = async (code: number): Promise<void> => {
    if (ending) return
    ending = true
    setTimeout(() => process.exit(code || 1), END_MS).unref()
    try {
      await stop?.()
    } catch (error) {
      console.error(messageOf(error))
    }
    process.exit(code)
  }
  const fail = (reason: string): void => {
    console.error(reason)
    void end(1)
  }
  let asked = false
  const onSignal = (): void => {
    asked = true
    // While it is still starting, it ends as soon as it has started: nothing is left half open.
    if (stop) void end(0)
    else setTimeout(() => process.exit(1), END_MS).unref()
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  process.on('uncaughtException', (error) => fail(`An error that nobody caught: ${error.stack}`))
  process.on('unhandledRejection', (reason) =>
    fail(`A rejection that nobody caught: ${reason instanceof Error ? reason.stack : reason}`),
  )
  try {
    stop = await start(fail)
    if (asked) await end(0)
  } catch (error) {
    console.error(error instanceof StartError ? error.message : error)
    process.exit(1)
  }
}
