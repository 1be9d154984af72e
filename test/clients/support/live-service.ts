import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readRuntime } from '../../../src/local/runtime.ts'
import { waitFor } from '../../support/wait-for.ts'

const ROOT = join(import.meta.dirname, '../../..')
const START_MS = 60_000

export type LiveService = { url: string; output(): string; close(): Promise<void> }

/**
 * Starts the API, the worker, a database and a development chain, as `npm start` does. A key may
 * send 150 requests a minute, so that a client reaches this limit soon.
 */
export const startLiveService = async (): Promise<LiveService> => {
  const folder = mkdtempSync(join(tmpdir(), 'fundproof-clients-'))
  const child = spawn(process.execPath, ['src/commands/main.ts'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH ?? '',
      DATA_DIR: folder,
      PORT: '0',
      LOG_LEVEL: 'warn',
      CORS_ORIGINS: '*',
      RATE_LIMIT_ANONYMOUS: '0',
      RATE_LIMIT_USER: '150',
    },
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
  }
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const close = async () => {
    child.kill('SIGINT')
    await exited
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await waitFor(
      'the service to be ready',
      () => text,
      (printed) => printed.includes('npm run demo') || child.exitCode !== null,
      START_MS,
    )
    const url = readRuntime(folder)?.apiUrl
    if (url === undefined) throw new Error(`The service did not start:\n${text}`)
    return { url, output: () => text, close }
  } catch (error) {
    await close()
    throw error
  }
}
