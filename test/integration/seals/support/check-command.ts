import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { run } from '../../../../src/commands/check.ts'
import { runCommand } from '../../../support/command.ts'

/** Runs `npm run check` on a database. */
export const check = async (databaseUrl: string, ...args: string[]) => {
  const { code, out, errors } = await runCommand(run, args, { DATABASE_URL: databaseUrl })
  return { code, out: out + errors }
}

export const lastLine = (out: string): string => out.trimEnd().split('\n').at(-1) ?? ''

/** Writes this text into a file that exists until the end of the test. Returns the path. */
export const fileWith = (text: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'fundproof-check-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'head.json')
  writeFileSync(file, text)
  return file
}
