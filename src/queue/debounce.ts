/** A call requests a run of an action. All calls before the next run count as one request. */
export type Debounced = {
  (): void
  /** Waits until all requested runs of the action have ended. */
  settle(): Promise<void>
}

/**
 * Returns a function that requests a run of `action`. Runs never overlap, and the pause between two
 * starts is at least `intervalMs`. Retries a failed run up to `maxRetries` times. The pause before
 * a retry is `retryMs` at first, and doubles each time.
 *
 * @param action a run that throws is repeated, so a second run must do no harm
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
