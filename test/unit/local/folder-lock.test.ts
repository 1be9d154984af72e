import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { lockFolder } from '../../../src/local/data-folder.ts'

const tempFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'fundproof-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('gives a folder to one owner at a time', () => {
  const folder = tempFolder()
  const lock = lockFolder(folder)
  expect(() => lockFolder(folder)).toThrow(`pid ${process.pid}`)
  lock.release()
  lockFolder(folder).release()
  expect(readdirSync(folder)).toEqual([])
})

test.each([
  ['a dead process', '{"pid":4194304,"startTime":"1"}'],
  ['a process whose id a stranger has now', `{"pid":${process.pid},"startTime":"1"}`],
  ['half a line', '{"pid":12'],
])('takes the folder over from %s', (_whose, content) => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'lock'), content)
  const lock = lockFolder(folder)
  expect(() => lockFolder(folder)).toThrow('already running')
  lock.release()
})
