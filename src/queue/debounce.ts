/** A signal without content: the first one acts at once, those that follow are gathered. */
export type Debounced = {
  (): void
  /** Waits for what has been asked for and is not done yet. */
  settle(): Promise<void>
}

/**
 * Runs `action` at once, then at most once in each `intervalMs` and never twice at a time; calls
 * that come meanwhile are one further run. An action that fails is run again after `retryMs`,
 * doubled each time, at most `maxRetries` times.
 *
 * @param action must not throw for reasons that a repetition cannot mend
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
