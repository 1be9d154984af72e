import { type Logger, pino } from 'pino'

export type Log = Logger

/** Writes JSON lines to standard output, each with the role of the process (`half`). */
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
 * Buffers about 4 kB of lines, at most for a tenth of a second. One write per request would make
 * recording a donation a tenth slower.
 */
const destination = () => {
  output ??= pino.destination({ dest: 1, sync: false, minLength: 4_096, periodicFlush: 100 })
  return output
}

/**
 * Writes the buffered lines as the last step before the process exits. If the reader of the log has
 * ended (EPIPE), the logger's own exit hook would retry forever.
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
