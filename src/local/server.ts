import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf, StartError } from '../kernel/errors.ts'
import type { Log } from '../kernel/ports/log.ts'
import { endProcess, noteOf, readNote, writeNote } from './processes.ts'

/** A program with its arguments and options. By default the program runs as the current user. */
export type Command = {
  file: string
  args: string[]
  options?: { uid?: number; gid?: number; env?: NodeJS.ProcessEnv; cwd?: string }
}

type ServerOptions = {
  /** The name of the server in error messages, such as `The embedded Postgres`. */
  name: string
  /** Matches the line of output that shows that the server is ready. */
  ready: RegExp
  /** The error message if the program cannot be run. */
  ifMissing?: string
  /** The folder in which the process id is stored, for {@link endLeftover}. */
  folder?: string
  /** The log that gets each line of output, at level `debug`. */
  log?: Log
}

const NOTE = 'server.json'
const READY_TIMEOUT_MS = 60_000
const RUN_TIMEOUT_MS = 120_000
const KEPT_LINES = 50

/**
 * Starts a server and waits until it is ready. Ctrl-C does not reach the server, because it runs
 * in its own session. When this process exits, it ends the server.
 *
 * @returns `address` is the first group that `ready` matched. `ended` resolves when the server has
 *   ended, with a reason if `stop` was not called. `stop` ends the server in at most 5.5 seconds.
 * @throws StartError with the last error that the server printed, if it does not become ready
 */
export const startServer = async (command: Command, options: ServerOptions) => {
  const child = spawn(command.file, command.args, {
    ...command.options,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { pid } = child
  if (pid === undefined) {
    const [error] = await once(child, 'error')
    throw new StartError(options.ifMissing ?? `${options.name} did not start: ${messageOf(error)}.`)
  }
  const note = noteOf(pid)
  const notePath = options.folder && join(options.folder, NOTE)
  if (notePath) writeNote(notePath, note)

  const lines: string[] = []
  const ready = Promise.withResolvers<string>()
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      if (lines.length > KEPT_LINES) lines.shift()
      options.log?.debug(line)
      const found = options.ready.exec(line)
      if (found) ready.resolve(found[1] ?? '')
    })
  }
  const interrupt = () => void child.kill('SIGINT')
  process.once('exit', interrupt)
  let isStopping = false
  const ended = once(child, 'close').then(([code, signal]): string | undefined => {
    process.off('exit', interrupt)
    const how = signal === null ? `exit code ${code}` : `signal ${signal}`
    return isStopping ? undefined : `${how}: ${errorLineOf(lines.join('\n'))}`
  })
  const stop = async ({ atOnce = false } = {}) => {
    isStopping = true
    if (await endProcess(note, { atOnce })) await ended
  }

  const problem = await Promise.race([
    ready.promise.then(() => undefined),
    ended.then(() => errorLineOf(lines.join('\n'))),
    sleep(READY_TIMEOUT_MS, `not ready in ${READY_TIMEOUT_MS / 1_000} s`, { ref: false }),
  ])
  if (problem !== undefined) {
    await stop()
    throw new StartError(`${options.name} did not start: ${problem}.`)
  }
  const address = await ready.promise
  lines.length = 0
  if (notePath) writeNote(notePath, { ...note, address })
  return { pid, address, ended, stop }
}

export type Server = Awaited<ReturnType<typeof startServer>>

/**
 * Ends a server that an earlier run left running. The caller must hold the lock of the folder.
 *
 * @param rescue gets the server's address, and saves data that the server has only in memory
 * @throws StartError if the server does not end
 */
export const endLeftover = async (
  folder: string,
  log?: Log,
  rescue?: (address: string) => Promise<void>,
): Promise<void> => {
  const left = readNote(join(folder, NOTE))
  if (left === undefined) return
  if (typeof left.address === 'string') await rescue?.(left.address)
  if (!(await endProcess(left))) {
    throw new StartError(`A server of an earlier run (pid ${left.pid}) does not end: kill it.`)
  }
  log?.warn(`A server that an earlier run left in ${folder} (pid ${left.pid}) was stopped.`)
}

/**
 * Finds a free port of 127.0.0.1. Returns `wanted` unless it is 0. Rejects if `wanted` is taken.
 */
export const freePort = async (wanted = 0): Promise<number> => {
  const server = createServer().listen(wanted, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Runs a short program to its end, with `input` on its standard input. Never throws. */
export const runToEnd = ({ file, args, options }: Command, input = '') => {
  const ended = spawnSync(file, args, {
    ...options,
    input,
    encoding: 'utf8',
    timeout: RUN_TIMEOUT_MS,
  })
  return {
    ok: ended.status === 0,
    output: ended.error?.message ?? `${ended.stdout}${ended.stderr}`,
  }
}

/** The last error in a program's output, or else the last line, without the final dot. */
export const errorLineOf = (output: string): string => {
  const errors = output.match(/\b(?:error|fatal|panic):.*/gi)
  return (errors?.at(-1) ?? (output.trim().split('\n').at(-1) || 'no output'))
    .trim()
    .replace(/\.$/, '')
}
