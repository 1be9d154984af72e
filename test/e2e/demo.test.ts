import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ChainConfig } from '../../src/config/config.ts'
import { writeRuntime } from '../../src/local/runtime.ts'
import { startHalf } from '../support/halves.ts'
import { hasAnvil, startTestChain } from '../support/test-chain.ts'
import { createWorld, TEST_CHAIN } from '../support/world.ts'

const ROOT = join(import.meta.dirname, '../..')

describe.skipIf(!hasAnvil)('npm run demo', () => {
  test('says that the API uses another chain, before it pays anything', async () => {
    const [world, chain, other] = await Promise.all([
      createWorld(),
      startTestChain(),
      startTestChain(),
    ])
    const places = { databaseUrl: world.url, rpcUrl: chain.url }
    const [api] = await Promise.all([startHalf('api', places), startHalf('worker', places)])
    const dataDir = mkdtempSync(join(tmpdir(), 'fundproof-demo-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true }))
    const apiUrl = `http://127.0.0.1:${api.port}`
    const ofOther = ChainConfig.parse({ ...TEST_CHAIN, name: 'other', rpc: [other.url] })
    writeRuntime(dataDir, { databaseUrl: world.url, chains: [ofOther], apiUrl })

    const demo = spawn(process.execPath, ['src/demo/main.ts'], {
      cwd: ROOT,
      env: { PATH: process.env.PATH ?? '', DATA_DIR: dataDir },
    })
    onTestFinished(() => void demo.kill('SIGKILL'))
    let text = ''
    demo.stderr.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8')
    })
    const code = await new Promise((resolve) => demo.once('close', resolve))

    expect(text).toBe(
      `The demo failed: The API at ${apiUrl} uses another chain than ${other.url}. ` +
        'Set BASE_URL and DATA_DIR to one instance.\n',
    )
    expect(code).toBe(1)
  })
})
