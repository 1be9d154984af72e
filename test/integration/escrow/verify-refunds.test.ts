import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Interface, Wallet } from 'ethers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { testToken } from '../../../contracts-abi/index.ts'
import { testContracts } from '../../../contracts-abi/test-contracts.ts'
import { run as verifyRefunds } from '../../../src/commands/verify-refunds.ts'
import type { RefundsView } from '../../../src/domain/escrow/refund/index.ts'
import { NATIVE_ASSET } from '../../../src/kernel/escrow-event.ts'
import { runCommand } from '../../support/command.ts'
import { startProgram } from '../../support/program.ts'
import { RpcFault, serveRpc } from '../../support/rpc-server.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { deploy, keyOf } from '../../support/test-wallets.ts'
import { createRefundWorld } from './support/refund-world.ts'
import { deploySwitchedWallet } from './support/switched-wallet.ts'
import { authorizedTransfer, mintTo, transferTo } from './support/token-calls.ts'

type RefundWorld = Awaited<ReturnType<typeof createRefundWorld>>

/** A failed escrow with two plain donors, and the command for files with its refunds. */
const setUp = async (prepare: (world: RefundWorld) => Promise<unknown> = async () => {}) => {
  const world = await createRefundWorld()
  await prepare(world)
  await world.deploy()
  await world.pay(1, 10_000_000n)
  await world.donate(2, 20_000_000n)
  await world.pay(3, 30_000_000n)
  await world.settle()
  await world.cancel()
  await world.settle()
  const folder = mkdtempSync(join(tmpdir(), 'fundproof-refunds-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const run = async (...args: string[]) => {
    const words = args.map((word) => (word.endsWith('.json') ? join(folder, word) : word))
    const { code, out, errors } = await runCommand(verifyRefunds, words)
    return { code, out: out + errors }
  }
  const node = ['--rpc', world.chain.url, '--escrow', world.account]
  return {
    world,
    run,
    node,
    /** Writes the refunds as the API serves them, after a change. */
    async write(name: string, change: (refunds: RefundsView) => void = () => {}): Promise<void> {
      const refunds = structuredClone(await world.refunds())
      change(refunds)
      writeFileSync(join(folder, name), JSON.stringify(refunds))
    },
  }
}

describe.skipIf(!hasAnvil)('npm run verify-refunds', () => {
  test('computes the root of a file from a node alone, and finds it on the chain', async () => {
    const { world, run, node, write } = await setUp()
    await write('refunds.json')
    const { root } = await world.root()
    const unproposed = await run(...node, '--file', 'refunds.json', '--chain', '31337')
    expect(unproposed).toMatchObject({ code: 0, out: expect.stringContaining(`root   ${root}`) })
    expect(unproposed.out).toContain('2 donors, 40000000 base units')
    expect(unproposed.out).toContain('The chain has no proposal with this index.')
    const alone = await startProgram('src/commands/verify-refunds.ts', {}, node).ended
    expect(alone).toMatchObject({ code: 2, out: '' })
    expect(alone.errors).toBe('No root is proposed. Name a --file, or the last --block to count.\n')
    await world.propose()
    expect(await run(...node)).toMatchObject({
      code: 0,
      out: expect.stringContaining('Proposal 0 on the chain has this root.'),
    })
    await world.pay(1, 5n)
    await world.settle()
    expect(await run(...node, '--file', 'refunds.json')).toMatchObject({ code: 0 })
  })

  test('finds a changed amount, donor and root in a file', async () => {
    const { world, run, node, write } = await setUp()
    await write('amount.json', ({ root }) => {
      for (const leaf of root?.leaves.slice(0, 1) ?? []) leaf.amount = '1'
    })
    await write('donor.json', ({ root }) => {
      for (const leaf of root?.leaves.slice(0, 1) ?? []) leaf.donor = keyOf(9).address
    })
    await write('missing.json', ({ root }) => root?.leaves.pop())
    await write('twice.json', ({ root }) => root?.leaves.push(...root.leaves))
    await write('root.json', ({ root }) => {
      if (root) root.root = `0x${'11'.repeat(32)}`
    })
    for (const name of ['amount', 'donor', 'missing', 'twice', 'root']) {
      const { code, out } = await run(...node, '--file', `${name}.json`)
      expect({ name, code, out }).toMatchObject({ name, code: 1 })
      expect(out).toMatch(/^FAILED The file /m)
    }
    const { out } = await run(...node, '--file', 'amount.json')
    expect(out).toContain(`The file gives 1 for ${world.terms.asset}`)
  })

  test('finds a proposed root that the chain does not give', async () => {
    const { world, run, node } = await setUp()
    const { leaves, dataHash, root } = await world.root()
    expect(leaves).toHaveLength(2)
    await world.propose()
    const block = await world.chain.call<{ hash: string }>('eth_getBlockByNumber', ['0x2', false])
    const { code, out } = await run(...node, '--block', block.hash)
    expect(code).toBe(1)
    expect(out).toContain(`Proposal 0 on the chain has the root ${root}.`)
    expect(out).toContain(`Proposal 0 counts up to the block ${dataHash}.`)
  })

  test('finds the same accounts for a contract that is no wallet any more', async () => {
    let switchOff: () => Promise<unknown> = async () => {}
    const { world, run, node, write } = await setUp(async ({ chain, account, send }) => {
      const contract = await deploySwitchedWallet(chain)
      await chain.send(await chain.signToken(1, contract.address, 9n))
      await chain.mine()
      await send(2, contract.through(transferTo(account, 9n)))
      switchOff = () => send(2, contract.switchOff)
    })
    await world.propose()
    await switchOff()
    await world.pay(1, 5n)
    await world.waitForRoot()
    await write('refunds.json')
    expect((await world.root()).leaves).toHaveLength(3)
    expect(await run(...node, '--file', 'refunds.json')).toMatchObject({ code: 0 })
  })

  test('agrees with the service if a call of a contract paid in the native coin', async () => {
    const { world, run, node, write } = await setUp(async ({ chain, account, record }) => {
      const router = await deploy(chain, testContracts.router.bytecode)
      const data = new Interface(testContracts.router.abi).encodeFunctionData('forward', [account])
      const paid = await chain.send(await chain.sign(1, { to: router, data, value: 3n }))
      await record(paid, '1')
      await chain.send(await chain.signEther(2, account, '1'))
    })
    await write('refunds.json')
    const { code, out } = await run(...node, '--file', 'refunds.json')
    expect({ code, out }).toMatchObject({ code: 0 })
    expect(out).toContain('note   The escrow got 3 wei that are not counted')
    const { leaves } = await world.root()
    expect(leaves.filter(({ asset }) => asset === NATIVE_ASSET)).toMatchObject([
      { donor: keyOf(2).address.toLowerCase(), amount: '1000000000000000000' },
    ])
    await world.propose()
    expect(await run(...node)).toMatchObject({
      ...{ code: 2, out: expect.stringContaining('It may count the native coin') },
    })
  })

  test('names each token that paid and is not counted', async () => {
    let other = ''
    const { run, node, write } = await setUp(async ({ chain, account, send }) => {
      other = await deploy(chain, testToken.bytecode)
      await send(1, mintTo(account, 5n, other))
      await send(1, mintTo(keyOf(1).address, 5n, other))
      await send(1, transferTo(account, 5n, other))
    })
    await write('refunds.json')
    const { code, out } = await run(...node, '--file', 'refunds.json')
    expect({ code, out }).toMatchObject({ code: 0 })
    expect(out.match(/^note .*$/gm)).toEqual([
      `note   The token ${other} paid the escrow, and is not counted.`,
    ])
    expect(await run(...node, '--file', 'refunds.json', '--asset', other)).toMatchObject({
      code: 1,
    })
  })

  test('names ten of many tokens that paid, and how many others did', async () => {
    const tokens: string[] = []
    const { run, node, write } = await setUp(async ({ chain, account, send }) => {
      for (let count = 0; count < 12; count += 1) {
        const token = await deploy(chain, testToken.bytecode)
        await send(1, mintTo(account, 5n, token))
        tokens.push(token)
      }
    })
    await write('refunds.json')
    const { code, out } = await run(...node, '--file', 'refunds.json')
    expect({ code, out }).toMatchObject({ code: 0 })
    expect(out.match(/^note .*$/gm)).toEqual([
      ...tokens
        .slice(0, 10)
        .map((token) => `note   The token ${token} paid the escrow, and is not counted.`),
      'note   2 more tokens paid the escrow, and are not counted.',
    ])
  })

  test('asks for a few of many accounts at the same time', async () => {
    const { world, run, write } = await setUp(async ({ chain, account, batch }) => {
      const keys = Array.from({ length: 25 }, () => Wallet.createRandom())
      const multicall = await deploy(chain, testContracts.multicall.bytecode)
      const payments = await Promise.all(
        keys.map((key) => authorizedTransfer(key, { from: key.address, to: account, value: 1n })),
      )
      await batch(1, multicall, [...keys.map(({ address }) => mintTo(address, 1n)), ...payments])
    })
    let [open, most] = [0, 0]
    const proxy = await serveRpc(async (method, params) => {
      open += 1
      most = Math.max(most, open)
      return world.chain.call(method, params).finally(() => {
        open -= 1
      })
    })
    onTestFinished(() => proxy.close())
    await write('refunds.json')
    const node = ['--rpc', proxy.url, '--escrow', world.account]
    expect(await run(...node, '--file', 'refunds.json')).toMatchObject({ code: 0 })
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(10)
  })

  test('does not check with a node that lacks the state of an old block', async () => {
    const { world, run, write } = await setUp()
    const proxy = await serveRpc(async (method, params) => {
      if (method === 'eth_call' && params[1] !== 'latest') throw new RpcFault(-32000, 'no state')
      return world.chain.call(method, params)
    })
    onTestFinished(() => proxy.close())
    await write('refunds.json')
    const node = ['--rpc', proxy.url, '--escrow', world.account]
    const { code, out } = await run(...node, '--file', 'refunds.json')
    expect({ code, out }).toMatchObject({
      ...{ code: 2, out: expect.stringContaining('refused eth_call: no state') },
    })
    expect(out).not.toContain('ok ')
  })

  test('says in one line why it cannot check', async () => {
    const { world, run, node, write } = await setUp()
    await write('refunds.json')
    await write('rule.json', (refunds) => {
      refunds.rule = 'another-rule'
    })
    await write('empty.json', (refunds) => {
      refunds.root = null
    })
    const [rpc = '', url = ''] = node
    const cases: [string[], string][] = [
      [[], 'npm run verify-refunds -- --rpc URL'],
      [[rpc, url], '--escrow ADDRESS'],
      [[rpc, url, '--escrow', '0x12'], 'is not an address'],
      [[rpc, 'nowhere', '--escrow', world.account], 'is not a URL'],
      [[rpc, 'http://127.0.0.1:9', '--escrow', world.account], 'did not answer'],
      [[rpc, url, '--escrow', keyOf(1).address], 'is not a deployed escrow'],
      [[...node, '--chain', '1'], 'is a node of chain 31337, not of chain 1'],
      [[...node, '--file', 'none.json'], 'could not be read'],
      [[...node, '--file', 'rule.json'], 'follows the rule another-rule'],
      [[...node, '--file', 'empty.json'], 'with a root'],
      [[...node, '--block', `0x${'11'.repeat(32)}`], 'has no block'],
      [[...node, '--block', 'x'], 'is not a hash'],
      [[...node, '--from', 'x'], 'is not a block number'],
      [[...node, '--unknown'], 'Unknown option'],
    ]
    for (const [args, expected] of cases) {
      const { code, out } = await run(...args)
      expect({ args, code, out }).toMatchObject({
        ...{ args, code: 2 },
        out: expect.stringContaining(expected),
      })
      expect(out).not.toMatch(/^\s+at /m)
    }
  })
})
