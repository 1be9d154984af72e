import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import postgres from 'postgres'
import { onTestFinished } from 'vitest'
import { createLog } from '../../../../src/kernel/ports/log.ts'
import { callNode } from '../../../../src/local/rpc.ts'

export const log = createLog(process.env.TEST_LOG_LEVEL ?? 'silent', 'test')

/** Makes a folder for one test. The folder is removed after the test. */
export const tempFolder = (mode = 0o755): string => {
  const folder = mkdtempSync(join(tmpdir(), 'fundproof-local-'))
  chmodSync(folder, mode)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** Stops a started part after the test, also if the test fails. */
export const stopAfterTest = <T extends { stop(): Promise<void> }>(started: T): T => {
  onTestFinished(() => started.stop())
  return started
}

/** Runs statements on a new connection. Returns the rows of the last statement. */
export const query = async (url: string, ...statements: string[]): Promise<unknown[]> => {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    let rows: unknown[] = []
    for (const statement of statements) rows = [...(await sql.unsafe(statement))]
    return rows
  } finally {
    await sql.end({ timeout: 1 })
  }
}

export type Block = {
  number: string
  hash: string
  parentHash: string
  timestamp: string
  transactions: string[]
}

export const blockAt = async (url: string, tag: string): Promise<Block> =>
  (await callNode(url, 'eth_getBlockByNumber', [tag, false])) as Block

/** Runs the source of a module in a new process until it prints a line. `kill` is kill -9. */
export const runInProcess = async (source: string) => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    cwd: join(import.meta.dirname, '../../../..'),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  onTestFinished(() => void child.kill('SIGKILL'))
  const line = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once('line', resolve)
    child.once('exit', () => reject(new Error('The process ended without a line.')))
  })
  return {
    line,
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
