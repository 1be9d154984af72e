import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { isAlive } from '../../../src/local/processes.ts'
import { callNode } from '../../../src/local/rpc.ts'
import { type LocalConfig, startLocal } from '../../../src/local/start-local.ts'
import { blockAt, log, query, runInProcess, stopAfterTest, tempFolder } from './support/helpers.ts'

const unset = (dataDir: string): LocalConfig => ({
  dataDir,
  databaseUrl: undefined,
  chains: undefined,
  secret: undefined,
})

test('starts all that is missing, and ends it within five seconds', async () => {
  const local = stopAfterTest(await startLocal(unset(tempFolder()), log))
  expect(await query(local.databaseUrl, 'select 1 as one')).toEqual([{ one: 1 }])
  const [chain] = local.chains
  expect(chain).toMatchObject({ id: 31337, finality: { tag: 'finalized' }, startBlock: 1 })
  expect(await callNode(chain?.rpc[0] ?? '', 'eth_chainId')).toBe('0x7a69')
  expect(local.secret).toMatch(/^[0-9a-f]{64}$/)
  const startedAtMs = Date.now()
  await local.stop()
  expect(Date.now() - startedAtMs).toBeLessThan(5_000)
  await expect(callNode(chain?.rpc[0] ?? '', 'eth_chainId')).rejects.toThrow()
})

test('starts nothing that is configured', async () => {
  const dataDir = tempFolder()
  const given = { databaseUrl: inject('postgresUrl'), chains: [], secret: 's'.repeat(32) }
  const local = await startLocal({ dataDir, ...given }, log)
  expect(local).toMatchObject(given)
  expect(readdirSync(dataDir)).toEqual([])
  await local.stop()
})

test('ends the one part when the other cannot start', async () => {
  const dataDir = tempFolder()
  const first = await startLocal(unset(dataDir), log)
  await first.stop()
  writeFileSync(join(dataDir, 'chain/state.json.gz'), 'damaged')
  await expect(startLocal(unset(dataDir), log)).rejects.toThrow(/development chain cannot be read/)
  // The next start works only if the failed start has freed its lock and stopped its server.
  const again = await startLocal({ ...unset(dataDir), chains: [] }, log)
  await again.stop()
})

test('takes over what a killed Fundproof left running, with all that it held', async () => {
  const dataDir = tempFolder()
  const killed = await runInProcess(`
    import { createLog } from './src/kernel/ports/log.ts'
    import { startLocal } from './src/local/start-local.ts'
    const local = await startLocal({ dataDir: ${JSON.stringify(dataDir)} }, createLog('silent', 'test'))
    console.log(JSON.stringify(local))
    setInterval(() => {}, 1000)
  `)
  const left = JSON.parse(killed.line) as { databaseUrl: string; chains: { rpc: string[] }[] }
  const url = left.chains[0]?.rpc[0] ?? ''
  await query(left.databaseUrl, 'create table kept (n int)', 'insert into kept values (7)')
  await expect(startLocal(unset(dataDir), log)).rejects.toThrow('Another Fundproof (pid ')
  const [row] = await query(left.databaseUrl, 'select pg_backend_pid() as pid, 1 as one')
  await killed.kill()
  // Database and chain have survived their parent process. The chain mines until the next start.
  await callNode(url, 'evm_mine')
  const head = await blockAt(url, 'latest')

  const local = stopAfterTest(await startLocal(unset(dataDir), log))
  expect(await query(local.databaseUrl, 'select n from kept')).toEqual([{ n: 7 }])
  expect((await blockAt(local.chains[0]?.rpc[0] ?? '', head.number)).hash).toBe(head.hash)
  await expect(callNode(url, 'eth_chainId')).rejects.toThrow()
  expect(isAlive((row as { pid: number }).pid)).toBe(false)
})
