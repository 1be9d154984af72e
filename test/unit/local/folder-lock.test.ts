import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { lockFolder } from '../../../src/local/folder-lock.ts'
import { newFolder } from '../../support/new-folder.ts'

test('gives a folder to one owner at a time', () => {
  const folder = newFolder()
  const release = lockFolder(folder)
  expect(() => lockFolder(folder)).toThrow(`pid ${process.pid}`)
  release()
  lockFolder(folder)()
})

test('takes the folder over from a process when it has been killed', async () => {
  const folder = newFolder()
  const module = JSON.stringify(new URL('../../../src/local/folder-lock.ts', import.meta.url).href)
  const source = `import { lockFolder } from ${module}
    globalThis.release = lockFolder(${JSON.stringify(folder)})
    console.log('locked')
    setInterval(() => {}, 60_000)`
  const other = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(other, 'exit')
  onTestFinished(() => void other.kill('SIGKILL'))
  await once(other.stdout, 'data')
  expect(() => lockFolder(folder)).toThrow(
    `Another Fundproof (pid ${other.pid}) is already running`,
  )
  other.kill('SIGKILL')
  await ended
  lockFolder(folder)()
})

test.each([
  [
    'whose id a stranger has now',
    (path: string) => {
      const lock = new DatabaseSync(path)
      lock.exec(`pragma user_version = ${process.pid}`)
      lock.close()
    },
  ],
  ['that was killed before it wrote', (path: string) => writeFileSync(path, '')],
])('takes the folder over from a process %s', (_which, write) => {
  const folder = newFolder()
  write(join(folder, 'lock.sqlite'))
  const release = lockFolder(folder)
  expect(() => lockFolder(folder)).toThrow('already running')
  release()
})
