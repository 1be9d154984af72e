import { type Config, loadConfig } from '../config/config.ts'
import { messageOf, StartError } from '../kernel/errors.ts'
import { createLog, flushLog, type Log } from '../kernel/ports/log.ts'
import { VERSION } from './version.ts'

/** The longest time for an orderly shutdown. After this time the process exits anyway. */
const END_MS = 4_800

/** SIGHUP comes when the terminal closes. Without a handler, child processes would keep running. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

type Run = {
  config: Config
  log: Log
  /** Prints `reason`, stops everything and exits with code 1. */
  fail(reason: string): void
}

/**
 * Runs the API, the worker or both until a signal comes. `start` returns the function that stops
 * these parts. If `start` fails, prints the error and exits with code 1. An uncaught error also
 * ends the process, because the state of the process is then unknown.
 */
export const runUntilStopped = async (
  half: 'api' | 'worker' | 'all',
  start: (run: Run) => Promise<() => Promise<void>>,
): Promise<void> => {
  let log: Log | undefined
  let stop: (() => Promise<void>) | undefined
  let stopping = false
  let ending = false
  const announce = (reason: string, code: number): void => {
    stopping = true
    log?.info({ reason }, 'stopping')
    setTimeout(() => {
      log?.error('stopped before everything had ended')
      process.exit(code || 1)
    }, END_MS).unref()
  }
  const end = async (code: number): Promise<void> => {
    ending = true
    try {
      await stop?.()
    } catch (error) {
      console.error(messageOf(error))
    }
    log?.info('stopped')
    await flushLog()
    process.exit(code)
  }
  const fail = (reason: string): void => {
    if (ending) return
    console.error(reason)
    if (!stopping) announce(reason, 1)
    void end(1)
  }
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stopping) return
    announce(signal, 0)
    // During the start there is no `stop` yet. The process stops after the start.
    if (stop) void end(0)
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  process.on('uncaughtException', (error) => fail(`Uncaught error: ${error.stack}`))
  process.on('unhandledRejection', (reason) => fail(`Uncaught rejection: ${stackOf(reason)}`))
  try {
    const config = loadConfig()
    log = createLog(config.logLevel, half)
    log.info({ version: VERSION, node: process.version }, 'starting')
    stop = await start({ config, log, fail })
    if (stopping && !ending) await end(0)
  } catch (error) {
    // Prints only the message or the stack, because Node would also print the error's fields, such
    // as a URL.
    console.error(error instanceof StartError ? error.message : stackOf(error))
    await flushLog()
    process.exit(1)
  }
}

const stackOf = (error: unknown): unknown => (error instanceof Error ? error.stack : error)
