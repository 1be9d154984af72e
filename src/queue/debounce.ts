/** Requests a run of an action. Calls that come before the next run are merged into one request. */
export type Debounced = {
  (): void
  /** Waits until all requested runs of the action have ended. */
  settle(): Promise<void>
}

/**
 * Runs `action` at once, then at most once per `intervalMs`, and never concurrently. All calls in
 * between cause one further run. A failed action is retried at most `maxRetries` times, first after
 * `retryMs`. Each further pause is twice as long as the pause before.
 *
 * @param action throws only errors that a retry can solve
 */
export const debounce = (
  action: () => Promise<void>,
  options: {
    intervalMs: number
    retryMs: number
    maxRetries: number
    onError: (error: unknown, willRetry: boolean) => void
  },
): Debounced => {
  let wanted = false
  let running: Promise<void> | undefined

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      setTimeout(resolve, ms).unref()
    })

  const once = async (): Promise<void> => {
    for (let tries = 0; ; tries++) {
      try {
        return await action()
      } catch (error) {
        const willRetry = tries < options.maxRetries
        options.onError(error, willRetry)
        if (!willRetry) return
        await pause(options.retryMs * 2 ** tries)
      }
    }
  }

  const repeat = async (): Promise<void> => {
    while (wanted) {
      wanted = false
      await Promise.all([once(), pause(options.intervalMs)])
    }
    running = undefined
  }

  const call = (): void => {
    wanted = true
    running ??= repeat()
  }
  return Object.assign(call, { settle: async () => await running })
}
