import { type Logger, pino } from 'pino'

export type Log = Logger

/** JSON log lines on standard output, with the service's half (`api`, `worker`) in each of them. */
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
 * Lines are written some kilobytes or a tenth of a second at a time: one write for each request
 * costs a tenth of recording a donation.
 */
const destination = () => {
  output ??= pino.destination({ dest: 1, sync: false, minLength: 4_096, periodicFlush: 100 })
  return output
}

/**
 * Writes the buffered lines, as the last step before the process exits. The exit would write them
 * too, but tries again for ever where the reader of the log has ended (EPIPE).
 */
export const flushLog = async (): Promise<void> => {
  // A write that is in flight leaves out the lines after it: the second flush writes them.
  await flushOnce()
  await flushOnce()
}

const flushOnce = (): Promise<void> =>
  new Promise((resolve) => {
    if (output) output.flush(() => resolve())
    else resolve()
  })
