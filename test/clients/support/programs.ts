import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
export const CLIENTS = join(ROOT, 'clients')

export type Language = 'javascript' | 'python' | 'php'

/** A program that runs files of a client, or null if this machine has none that is new enough. */
export type Interpreter = { name: string; command: string } | null

const MAX_OUTPUT_CHARS = 20_000

/** Whether a command ends well. False if there is no such program. */
const works = (command: string, args: readonly string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0

const found = (name: string, command: string, args: readonly string[]): Interpreter =>
  works(command, args) ? { name, command } : null

const RIGHT_PYTHON = 'import sys; sys.exit(sys.version_info < (3, 10))'
const RIGHT_PHP = 'exit(PHP_VERSION_ID >= 80200 && extension_loaded("curl") ? 0 : 1);'

export const node: Interpreter = { name: 'Node.js', command: process.execPath }
export const deno = found('Deno', 'deno', ['--version'])
export const bun = found('Bun', 'bun', ['--version'])
export const python = found('Python', 'python3', ['-c', RIGHT_PYTHON])
export const php = found('PHP', 'php', ['-r', RIGHT_PHP])
export const phpunit = php && found('PHPUnit', 'phpunit', ['--version'])

const versionOf = (command: string): string =>
  spawnSync(command, ['--version'], { encoding: 'utf8' }).stdout?.trim() ?? ''

/** Other versions of Python on this machine, as pyenv installs them. */
export const otherPythons = (): NonNullable<Interpreter>[] => {
  const folder = join(homedir(), '.pyenv/versions')
  if (!python || !existsSync(folder)) return []
  const first = versionOf(python.command)
  return readdirSync(folder)
    .map((version) => join(folder, version, 'bin/python3'))
    .filter((command) => works(command, ['-c', RIGHT_PYTHON]) && versionOf(command) !== first)
    .map((command) => ({ name: versionOf(command), command }))
}

const missing = new Set<string>()

/**
 * The test function for tests that need an interpreter. Without the interpreter the tests are
 * skipped with one line. With the variable CI they fail, so that a green run has run them.
 */
export const testWith = (
  interpreter: Interpreter,
  remedy: string,
): ((name: string, work: () => Promise<void>) => void) => {
  if (interpreter) return test
  if (process.env.CI) {
    return (name) =>
      test(name, () => {
        throw new Error(`This test needs ${remedy}.`)
      })
  }
  if (!missing.has(remedy)) console.log(`Skipped: tests that need ${remedy}.`)
  missing.add(remedy)
  return test.skip
}

export const NEEDS = {
  deno: 'Deno (npm package deno)',
  bun: 'Bun (npm package bun)',
  python: 'Python 3.10 or later on the PATH',
  php: 'PHP 8.2 or later with curl (Debian packages php-cli, php-curl)',
  phpunit: 'PHPUnit and PHP 8.2 or later with curl (Debian packages phpunit, php-cli, php-curl)',
} as const

export type Ended = { code: number | null; output: string }

/** Runs a program until it ends. Never throws, also if there is no such program. */
export const run = (
  command: string,
  args: readonly string[],
  { cwd, env = {}, timeoutMs = 120_000 }: RunOptions,
): Promise<Ended> =>
  new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-MAX_OUTPUT_CHARS)
      })
    }
    child.once('error', (error) => resolve({ code: null, output: String(error) }))
    child.once('close', (code) => resolve({ code, output }))
  })

type RunOptions = { cwd: string; env?: Record<string, string>; timeoutMs?: number }
