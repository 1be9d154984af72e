import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Makes an empty folder, which is removed after the test. */
export const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'fundproof-data-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
