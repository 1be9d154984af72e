import type { Reporter, TestModule } from 'vitest/node'

const SHOWN = 10

/** Prints the files that took longest at the end of a run. */
export const slowestFiles: Reporter = {
  onTestRunEnd(modules) {
    if (modules.length <= SHOWN) return
    const files = modules.map((file) => ({ path: file.relativeModuleId, seconds: secondsOf(file) }))
    files.sort((one, other) => other.seconds - one.seconds)
    console.log(`\nThe ${SHOWN} slowest files, in seconds:`)
    for (const { path, seconds } of files.slice(0, SHOWN)) {
      console.log(`${seconds.toFixed(1).padStart(7)}  ${path}`)
    }
  },
}

const secondsOf = (file: TestModule): number => {
  const { collectDuration, setupDuration, duration } = file.diagnostic()
  return (collectDuration + setupDuration + duration) / 1_000
}
