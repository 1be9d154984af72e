import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  loadOrCreateSecret,
  readRuntime,
  removeRuntime,
  writeRuntime,
} from '../../../src/local/runtime.ts'

const tempFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'fundproof-runtime-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

const runtime = { databaseUrl: 'postgres://u:p@127.0.0.1/d', chains: [], apiUrl: 'http://x:3000' }

test('other commands find a running instance, and only its owner can read the note', () => {
  const folder = join(tempFolder(), 'data')
  expect(readRuntime(folder)).toBeUndefined()
  writeRuntime(folder, runtime)
  expect(readRuntime(folder)).toEqual({ ...runtime, pid: process.pid })
  expect(statSync(join(folder, 'runtime.json')).mode & 0o777).toBe(0o600)
  removeRuntime(folder)
  expect(readRuntime(folder)).toBeUndefined()
})

test('an instance that was killed is not found', () => {
  const folder = tempFolder()
  writeRuntime(folder, runtime)
  const path = join(folder, 'runtime.json')
  const stored = JSON.parse(readFileSync(path, 'utf8')) as object
  writeFileSync(path, JSON.stringify({ ...stored, startTime: 'of another process' }))
  expect(readRuntime(folder)).toBeUndefined()
  writeFileSync(path, 'not JSON')
  expect(readRuntime(folder)).toBeUndefined()
})

test('the secret is created once, for its owner alone, and never replaced', () => {
  const folder = join(tempFolder(), 'data')
  const secret = loadOrCreateSecret(folder)
  expect(secret).toMatch(/^[0-9a-f]{64}$/)
  expect(loadOrCreateSecret(folder)).toBe(secret)
  const path = join(folder, 'secret')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  writeFileSync(path, 'damaged')
  expect(() => loadOrCreateSecret(folder)).toThrow('does not hold 64 hex digits')
})
