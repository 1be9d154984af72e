import { messageOf } from '../../src/kernel/errors.ts'

/** The functions that clean up after the run, also after a failure. The newest runs first. */
export type Cleanup = {
  add(end: () => void | Promise<void>): void
  /** Whether a signal started the cleanup. Later errors are then caused by the cleanup. */
  interrupted(): boolean
  run(): Promise<void>
}

const INTERRUPTED = 130

/** Ctrl-C and SIGTERM also start the cleanup, and then end the process. */
export const createCleanup = (): Cleanup => {
  const ends: (() => void | Promise<void>)[] = []
  let running: Promise<void> | undefined
  let interrupted = false
  const runAll = async (): Promise<void> => {
    for (let end = ends.pop(); end; end = ends.pop()) {
      try {
        await end()
      } catch (error) {
        console.error(`Cleaning up: ${messageOf(error)}`)
      }
    }
  }
  const cleanup: Cleanup = {
    add: (end) => {
      ends.push(end)
    },
    interrupted: () => interrupted,
    run: () => {
      running ??= runAll()
      return running
    },
  }
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      interrupted = true
      void cleanup.run().finally(() => process.exit(INTERRUPTED))
    })
  }
  return cleanup
}
