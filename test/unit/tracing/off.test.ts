import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')

/** Counts the OpenTelemetry modules that a process has loaded after opening its tracing. */
const loadedBy = async (options: string): Promise<number> => {
  const script = `
    import Module from 'node:module'
    import { openTracing } from './src/tracing/index.ts'
    import './src/commands/base.ts'
    const { close } = await openTracing(${options})
    const loaded = Object.keys(Module._cache).filter((file) => file.includes('@opentelemetry/sdk'))
    console.log(loaded.length)
    await close()
    process.exit(0)`
  const run = promisify(execFile)
  const args = ['--input-type=module', '--eval', script]
  const { stdout } = await run(process.execPath, args, { cwd: ROOT })
  return Number(stdout)
}

test('loads nothing of OpenTelemetry where traces go nowhere', async () => {
  expect(await loadedBy('undefined')).toBe(0)
  const somewhere = `{ endpoint: 'http://127.0.0.1:1', ratio: 1, service: 's', instanceId: 'i',
    version: '1', log: { warn() {} } }`
  expect(await loadedBy(somewhere)).toBeGreaterThan(0)
})
