import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  loadOrCreateSecret,
  readRuntime,
  removeRuntime,
  writeRuntime,
} from '../../../src/local/runtime.ts'
import { newFolder } from '../../support/new-folder.ts'

const runtime = { databaseUrl: 'postgres://u:p@127.0.0.1/d', chains: [], apiUrl: 'http://x:3000' }

test('other commands find a running instance, and only its owner can read the note', () => {
  const folder = join(newFolder(), 'data')
  expect(readRuntime(folder)).toBeUndefined()
  writeRuntime(folder, runtime)
  expect(readRuntime(folder)).toEqual({ ...runtime, pid: process.pid })
  expect(statSync(join(folder, 'runtime.json')).mode & 0o777).toBe(0o600)
  removeRuntime(folder)
  expect(readRuntime(folder)).toBeUndefined()
})

test('a second process in the same folder neither overwrites nor removes the note', async () => {
  const folder = newFolder()
  const module = JSON.stringify(new URL('../../../src/local/runtime.ts', import.meta.url).href)
  const other = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { writeRuntime } from ${module}
       writeRuntime(${JSON.stringify(folder)}, ${JSON.stringify(runtime)})
       console.log('written')
       setInterval(() => {}, 60_000)`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const ended = once(other, 'exit')
  onTestFinished(async () => {
    other.kill('SIGKILL')
    await ended
  })
  await once(other.stdout, 'data')

  expect(writeRuntime(folder, { ...runtime, apiUrl: 'http://second' })).toBe(other.pid)
  removeRuntime(folder)
  expect(readRuntime(folder)).toEqual({ ...runtime, pid: other.pid })

  other.kill('SIGKILL')
  await ended
  expect(writeRuntime(folder, { ...runtime, apiUrl: 'http://second' })).toBe(process.pid)
  expect(readRuntime(folder)).toMatchObject({ apiUrl: 'http://second', pid: process.pid })
})

test('an instance that was killed is not found', () => {
  const folder = newFolder()
  writeRuntime(folder, runtime)
  const path = join(folder, 'runtime.json')
  const stored = JSON.parse(readFileSync(path, 'utf8')) as object
  writeFileSync(path, JSON.stringify({ ...stored, startTime: 'of another process' }))
  expect(readRuntime(folder)).toBeUndefined()
  writeFileSync(path, 'not JSON')
  expect(readRuntime(folder)).toBeUndefined()
})

test('the secret is created once, for its owner alone, and never replaced', () => {
  const folder = join(newFolder(), 'data')
  const secret = loadOrCreateSecret(folder)
  expect(secret).toMatch(/^[0-9a-f]{64}$/)
  expect(loadOrCreateSecret(folder)).toBe(secret)
  const path = join(folder, 'secret')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  writeFileSync(path, 'damaged')
  expect(() => loadOrCreateSecret(folder)).toThrow('does not hold 64 hex digits')
})
