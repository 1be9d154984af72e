import { AbortError } from './errors.ts'

/** The clock and the random numbers of a client. Tests replace both. */
export type Runtime = {
  /** The time in milliseconds since 1970. */
  now(): number
  /** A random number from 0 up to, but not including, 1. */
  random(): number
  /** Sleeps at most 24 days. Rejects with AbortError as soon as `signal` is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** The longest timer of JavaScript. A longer `setTimeout` would fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1

export const abortError = (signal: AbortSignal): AbortError =>
  new AbortError('The signal of the caller ended the call.', { cause: signal.reason })

export const realRuntime: Runtime = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(abortError(signal))
        return
      }
      const stop = (): void => {
        clearTimeout(timer)
        if (signal) reject(abortError(signal))
      }
      const timer = setTimeout(
        () => {
          signal?.removeEventListener('abort', stop)
          resolve()
        },
        Math.min(ms, MAX_TIMER_MS),
      )
      signal?.addEventListener('abort', stop, { once: true })
    }),
}

/**
 * Returns the result of `work`, or rejects with AbortError as soon as `signal` is aborted. The work
 * itself goes on.
 */
export const unlessAborted = <T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(abortError(signal))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/**
 * Makes an idempotency key without `crypto.randomUUID`, which is missing on http pages of browsers.
 */
export const newKey = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return `auto_${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

type Globals = {
  process?: { env?: Record<string, string | undefined>; version?: string; platform?: string }
  Deno?: { version: { deno: string }; build: { os: string } }
  Bun?: { version: string }
  navigator?: { userAgent?: string }
}

const globals = globalThis as Globals

/** A variable of the environment. Undefined in browsers, and without the permission in Deno. */
export const environmentVariable = (name: string): string | undefined => {
  try {
    return globals.process?.env?.[name] || undefined
  } catch {
    return undefined
  }
}

/** The name of the platform for `User-Agent`. Undefined in browsers, which set their own. */
export const platformName = (): string | undefined => {
  if (globals.Deno) return `deno ${globals.Deno.version.deno}; ${globals.Deno.build.os}`
  const os = globals.process?.platform
  if (globals.Bun) return `bun ${globals.Bun.version}; ${os}`
  if (globals.navigator?.userAgent === 'Cloudflare-Workers') return 'workers'
  const version = globals.process?.version
  return version === undefined ? undefined : `node ${version.slice(1)}; ${os}`
}
