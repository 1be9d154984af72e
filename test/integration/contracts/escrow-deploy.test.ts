import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { escrowFactory } from '../../../contracts-abi/index.ts'
import { anvilProgram, startAnvil } from '../../support/anvil-process.ts'

const ROOT = join(import.meta.dirname, '../../..')

const run = (args: readonly string[]) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const program = ['src/commands/escrow-deploy.ts', ...args]
    const child = execFile(process.execPath, program, { cwd: ROOT }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })

const startChain = async (options: readonly string[]) => {
  const program = anvilProgram()
  if (!program) throw new Error('No anvil here.')
  const anvil = await startAnvil(program, options)
  onTestFinished(() => anvil.close())
  return anvil
}

test('prints the transaction that deploys the factory', async () => {
  const chain = await startChain(['--chain-id=10'])
  const before = await run(['--rpc', chain.url])
  expect(before.stderr).toContain(`address on chain 10 is ${escrowFactory.address}`)
  expect(before.code).toBe(0)
  const { chainId, ...transaction } = JSON.parse(before.stdout)
  expect(chainId).toBe(10)
  expect(transaction.value).toBe('0')
  const [from] = await chain.call<string[]>('eth_accounts')
  await chain.call('eth_sendTransaction', [{ ...transaction, value: '0x0', from }])
  // The node answers before it has mined the block, so the test polls.
  const code = () => chain.call('eth_getCode', [escrowFactory.address, 'latest'])
  await expect.poll(code, { timeout: 10_000 }).toBe(escrowFactory.deployedBytecode)
  const after = await run(['--rpc', chain.url])
  expect(after).toMatchObject({ code: 0, stdout: '' })
  expect(after.stderr).toContain('The factory is there already.')
})

test('refuses a chain without the deployment proxy', async () => {
  const chain = await startChain(['--disable-default-create2-deployer'])
  const ended = await run(['--rpc', chain.url])
  expect(ended.code).toBe(2)
  expect(ended.stdout).toBe('')
  expect(ended.stderr).toContain(`has no deployment proxy at ${escrowFactory.deploymentProxy}`)
})

test.each(['london', 'shanghai'])('refuses a chain of the fork %s in words', async (fork) => {
  const chain = await startChain([`--hardfork=${fork}`])
  const ended = await run(['--rpc', chain.url])
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(ended.stderr).toContain('Chain 31337 did not make an escrow in a simulation (127')
  expect(ended.stderr).toContain('The chain needs the Cancun fork')
})

test('refuses a chain without the Cancun fork that has the factory already', async () => {
  const chain = await startChain(['--hardfork=shanghai'])
  const { deploymentProxy: to, deploymentData: data } = escrowFactory
  const [from] = await chain.call<string[]>('eth_accounts')
  await chain.call('eth_sendTransaction', [{ from, to, data }])
  const code = () => chain.call('eth_getCode', [escrowFactory.address, 'latest'])
  await expect.poll(code, { timeout: 10_000 }).toBe(escrowFactory.deployedBytecode)
  const ended = await run(['--rpc', chain.url])
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(ended.stderr).toContain('did not make an escrow in a simulation')
})

test('names a node that does not answer, and an answer of another kind', async () => {
  const dead = await run(['--rpc', 'http://127.0.0.1:9'])
  expect(dead.code).toBe(2)
  expect(dead.stderr).toContain('127.0.0.1:9 did not answer')
  const server = createServer((_, response) => response.end('hello'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const at = server.address()
  const port = typeof at === 'object' && at !== null ? at.port : 0
  const other = await run(['--rpc', `http://127.0.0.1:${port}`])
  expect(other.code).toBe(2)
  expect(other.stderr).toContain('The answer of 127.0.0.1:')
})

test('explains itself', async () => {
  expect((await run(['--help'])).stdout).toContain('npm run escrow:deploy -- --rpc URL')
  expect((await run([])).code).toBe(2)
  expect((await run(['--rpc', 'ftp://example.org'])).stderr).toContain('--rpc needs a URL')
  expect((await run(['--what'])).stderr).toContain('npm run escrow:deploy')
})
