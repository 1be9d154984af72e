import { type Logger, pino } from 'pino'

export type Log = Logger

/** JSON log lines on standard output, with the service's half (`api`, `worker`) in each of them. */
export const createLog = (level: string, half: string): Log =>
  pino({
    level,
    base: { half },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: ['password', 'token', 'secret', 'authorization', '*.password', '*.secret'],
  })
