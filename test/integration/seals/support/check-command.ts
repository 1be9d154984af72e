import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const PROGRAM = join(import.meta.dirname, '../../../../src/commands/check.ts')

/** Runs `npm run check` on a database. */
export const check = (
  databaseUrl: string,
  ...args: string[]
): Promise<{ code: number; out: string }> =>
  new Promise((resolve) => {
    const env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl }
    execFile(process.execPath, [PROGRAM, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, out: stdout + stderr })
    })
  })

export const lastLine = (out: string): string => out.trimEnd().split('\n').at(-1) ?? ''

/** A file with this text, for the rest of the test. */
export const fileWith = (text: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'fundproof-check-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'head.json')
  writeFileSync(file, text)
  return file
}
