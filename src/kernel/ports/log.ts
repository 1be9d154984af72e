import { type Logger, pino } from 'pino'

export type Log = Logger

/** JSON log lines on standard output, each with the process's role (`api`, `worker`). */
export const createLog = (level: string, half: string): Log =>
  pino(
    {
      level,
      base: { half },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: ['password', 'token', 'secret', 'authorization', '*.password', '*.secret'],
    },
    destination(),
  )

let output: ReturnType<typeof pino.destination> | undefined

/**
 * Lines are buffered for some kilobytes or a tenth of a second: one write per request would add a
 * tenth to the cost of recording a donation.
 */
const destination = () => {
  output ??= pino.destination({ dest: 1, sync: false, minLength: 4_096, periodicFlush: 100 })
  return output
}

/**
 * Writes the buffered lines as the last step before the process exits. The logger's own exit hook
 * would retry forever after the log's reader has ended (EPIPE).
 */
export const flushLog = async (): Promise<void> => {
  // The second flush writes lines that were added during an in-flight write.
  await flushOnce()
  await flushOnce()
}

const flushOnce = (): Promise<void> =>
  new Promise((resolve) => {
    if (output) output.flush(() => resolve())
    else resolve()
  })
