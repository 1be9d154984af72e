import { type Logger, pino } from 'pino'

export type Log = Logger

/** Writes JSON lines to standard output. `half` in each line is the role of the process. */
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
 * Buffers at most about 4 kB of log lines, for at most 0.1 s. If each request wrote its line at
 * once, a request that records a donation would take 10 % longer.
 */
const destination = () => {
  output ??= pino.destination({ dest: 1, sync: false, minLength: 4_096, periodicFlush: 100 })
  return output
}

/**
 * Writes the buffered lines before the process exits, so that the logger's own exit hook has no
 * lines left to write. The hook would retry forever if the log's reader has ended (EPIPE).
 */
export const flushLog = async (): Promise<void> => {
  // The second flush writes the lines that were logged during the write of the first flush.
  await flushOnce()
  await flushOnce()
}

const flushOnce = (): Promise<void> =>
  new Promise((resolve) => {
    if (output) output.flush(() => resolve())
    else resolve()
  })
