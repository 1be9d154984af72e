import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ChainConfig } from '../../src/config/config.ts'
import { writeRuntime } from '../../src/local/runtime.ts'
import { startHalf } from '../support/halves.ts'
import { runProgram } from '../support/program.ts'
import { hasAnvil, startTestChain } from '../support/test-chain.ts'
import { waitFor } from '../support/wait-for.ts'
import { createWorld, TEST_CHAIN } from '../support/world.ts'

describe.skipIf(!hasAnvil)('npm run demo', () => {
  test('releases a milestone of an escrow, and refunds a failed one to the unit, in both ways', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'fundproof-demo-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    const instance = runProgram('src/commands/main.ts', { DATA_DIR: dataDir, PORT: '0' })
    await waitFor('the instance to be ready', instance.output, (text) =>
      text.includes('npm run demo'),
    )

    const demo = runProgram('src/demo/main.ts', { DATA_DIR: dataDir })
    expect(await demo.exited, demo.output()).toBe(0)
    const steps = [
      'where no code is yet',
      'credited before the contract is deployed',
      'a stranger deployed the escrow and paid',
      'two of three verifiers signed',
      'the recipient has 12000 USDC more on the chain',
      'webhook: milestone.released',
      'a stranger closed the escrow, webhook campaign.failed',
      'ben’s refund needed no signature',
      'both donors have all their money back, to the unit',
    ]
    for (const step of steps) expect(demo.output()).toContain(step)
    const check = runProgram('src/commands/check.ts', { DATA_DIR: dataDir })
    expect(await check.exited, check.output()).toBe(0)
  }, 180_000)

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

    const demo = runProgram('src/demo/main.ts', { DATA_DIR: dataDir })
    const code = await demo.exited

    expect(demo.output()).toBe(
      `The demo failed: The API at ${apiUrl} uses another chain than ${other.url}. ` +
        'Set BASE_URL and DATA_DIR to one instance.\n',
    )
    expect(code).toBe(1)
  })
})
