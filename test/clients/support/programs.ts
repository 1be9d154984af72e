import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as vitestTest } from 'vitest'
import { PROCESS_ENV, ROOT } from '../../support/program.ts'

export const CLIENTS = join(ROOT, 'clients')

export type Language = 'javascript' | 'python' | 'php'

/**
 * A program that runs files of a client. `command` is empty if this machine has no version that is
 * new enough. `remedy` says which program to install.
 */
export type Interpreter = { name: string; command: string; remedy: string }

const MAX_OUTPUT_CHARS = 100_000

/** The output of a command, or null if it fails or does not exist. */
const printed = (command: string, args: readonly string[]): string | null => {
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

export const found = (
  name: string,
  command: string,
  args: readonly string[],
  remedy: string,
): Interpreter => ({ name, command: printed(command, args) === null ? '' : command, remedy })

/**
 * Prints the interpreter's path if its version is new enough. The path avoids the slow start of
 * pyenv's `python3`.
 */
const RIGHT_PYTHON = 'import sys; sys.version_info < (3, 10) and sys.exit(1); print(sys.executable)'
const foundPython = (name: string, command: string): Interpreter => ({
  name,
  command: printed(command, ['-c', RIGHT_PYTHON]) ?? '',
  remedy: 'Python 3.10 or later on the PATH',
})

const RIGHT_PHP = 'exit(PHP_VERSION_ID >= 80200 && extension_loaded("curl") ? 0 : 1);'
const PHP = 'PHP 8.2 or later with curl (Debian packages php-cli, php-curl)'

export const node: Interpreter = { name: 'Node.js', command: process.execPath, remedy: '' }
export const deno = found('Deno', 'deno', ['--version'], 'Deno (npm package deno)')
export const bun = found('Bun', 'bun', ['--version'], 'Bun (npm package bun)')
export const python = foundPython('Python', 'python3')
export const php = found('PHP', 'php', ['-r', RIGHT_PHP], PHP)
export const phpunit = php.command
  ? found('PHPUnit', 'phpunit', ['--version'], `PHPUnit (Debian package phpunit) and ${PHP}`)
  : php

/** Other versions of Python that pyenv has installed. */
export const otherPythons = (): Interpreter[] => {
  const folder = join(homedir(), '.pyenv/versions')
  if (!existsSync(folder)) return []
  const versionOf = (command: string) => printed(command, ['--version'])
  const first = versionOf(python.command)
  return readdirSync(folder).flatMap((version) => {
    const one = foundPython(`Python ${version}`, join(folder, version, 'bin/python3'))
    return one.command && versionOf(one.command) !== first ? [one] : []
  })
}

/**
 * The `test` function of the client tests. `folder` is an empty folder, which is removed after the
 * test.
 */
// biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures here.
export const test = vitestTest.extend('folder', ({}, { onCleanup }) => {
  const folder = mkdtempSync(join(tmpdir(), 'fundproof-client-'))
  onCleanup(() => rmSync(folder, { recursive: true, force: true }))
  return folder
})

const missing = new Set<string>()

/**
 * Returns the test function for tests that need an interpreter. Without the interpreter, the tests
 * are skipped, and a line says so. With the variable CI they fail, so a green run has run all
 * tests.
 */
export const testWith = ({ command, remedy }: Interpreter): typeof test => {
  if (command) return test
  if (process.env.CI) {
    const fail = () => Promise.reject(new Error(`This test needs ${remedy}.`))
    return ((name: string) => test(name, fail)) as unknown as typeof test
  }
  if (!missing.has(remedy)) console.log(`Skipped: tests that need ${remedy}.`)
  missing.add(remedy)
  return test.skip as typeof test
}

export type Ended = { code: number | null; output: string }

/** Runs a program until it ends. Never throws, not even if the program does not exist. */
export const run = (
  command: string,
  args: readonly string[],
  { cwd, env = {}, timeoutMs = 120_000 }: RunOptions,
): Promise<Ended> =>
  new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...PROCESS_ENV, ...env },
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
