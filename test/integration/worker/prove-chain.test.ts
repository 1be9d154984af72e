import { describe, expect, test } from 'vitest'
import { readProgress } from '../../../src/domain/blocks/index.ts'
import { createCollectors } from '../../../src/domain/service/index.ts'
import { call, signUp } from '../../support/api-user.ts'
import { address } from '../../support/chain-facts.ts'
import { type Half, halfEnvironment, startHalf } from '../../support/halves.ts'
import { startProgram } from '../../support/program.ts'
import { hasAnvil, startTestChain, type TestChain } from '../../support/test-chain.ts'
import { waitFor } from '../../support/wait-for.ts'
import { createWorld, TEST_CHAIN, TOKEN, type World } from '../../support/world.ts'

/** Code that answers every call with 18, for example a call of `decimals()`. */
const EIGHTEEN = '0x601260005260206000f3'
const DEAD_NODE = 'http://127.0.0.1:9'
const OTHER_ID = 31338

type Chains = { rpc: string; id?: number; decimals?: number }[]

const chainsOf = (chains: Chains): string =>
  JSON.stringify(
    chains.map(({ rpc, id = TEST_CHAIN.id, decimals = 6 }) => ({
      ...TEST_CHAIN,
      id,
      name: 'test',
      rpc: [rpc],
      startBlock: 0,
      pollIntervalMs: 100,
      tokens: [{ symbol: 'USDC', address: TOKEN, decimals }],
    })),
  )

/** A database without stored assets. */
const createNewWorld = async (): Promise<World> => {
  const chains = [TEST_CHAIN, { ...TEST_CHAIN, id: OTHER_ID }]
  const world = await createWorld({ chains })
  await world.ctx.sql`delete from asset`
  return world
}

const start = (half: 'api' | 'worker', { url }: World, chains: Chains): Promise<Half> =>
  startHalf(half, { databaseUrl: url, rpcUrl: '', env: { CHAINS: chainsOf(chains) } })

const storedTokens = async ({ ctx }: World) =>
  (
    await ctx.sql<{ chainId: number; decimals: number }[]>`
      select chain_id, decimals from asset where kind = 'erc20' order by chain_id`
  ).map(({ chainId, decimals }) => [chainId, decimals])

/** The problem of a chain as `/readyz` and the status page show it. */
const problemOf = async ({ ctx }: World, id: number = TEST_CHAIN.id) => {
  const [progress] = await readProgress(ctx, [{ id, pollIntervalMs: 100 }])
  return progress?.idleMs === null ? 'not followed' : progress?.problem
}

const offered = async (api: Half) => {
  const { body } = await call(api.port, 'GET', '/api/chains')
  const chains = body.chains as { id: number; assets: { symbol: string }[] }[]
  return chains.map(({ id, assets }) => [id, assets.map(({ symbol }) => symbol).join()])
}

const halted = async ({ ctx }: World) => {
  const samples = await createCollectors(ctx)
    .find(({ name }) => name === 'chains')
    ?.read()
  const found = (samples ?? []).flatMap(([name, labels, value]) =>
    name === 'fundproof_chain_halted' ? [[Number(labels.chain), value] as const] : [],
  )
  return found.toSorted(([a], [b]) => a - b)
}

const publish = async (api: Half, token: string) => {
  const answer = await call(api.port, 'POST', '/api/campaigns', {
    token,
    body: {
      title: 'Wells',
      description: 'Clean water',
      target_amount: 50,
      ledger_account: address('campaign'),
      milestones: [],
    },
  })
  return [answer.status, answer.body.code]
}

const linesWith = (half: Half, text: string): string[] =>
  half.lines.filter((line) => line.includes(text))

const finalBlocks = (chain: TestChain) => chain.mine(5)

describe.skipIf(!hasAnvil)('before the assets of a chain are used', () => {
  test('decimals that its token does not have halt the chain and no other, until they are right', async () => {
    const [chain, other, world] = await Promise.all([
      startTestChain(),
      startTestChain({ chainId: OTHER_ID }),
      createNewWorld(),
    ])
    await Promise.all([finalBlocks(chain), finalBlocks(other)])
    const chains = (decimals: number): Chains => [
      { rpc: chain.url, decimals },
      { rpc: other.url, id: OTHER_ID },
    ]
    const wrong = await start('worker', world, chains(18))
    const problem = `CHAINS gives USDC (${TOKEN}) of chain 31337 18 decimals, and its contract says 6`
    await waitFor('the fault', () => linesWith(wrong, problem)[0], Boolean)
    await waitFor(
      'the other chain',
      () => problemOf(world, OTHER_ID),
      (is) => is === null,
    )
    expect(await problemOf(world)).toContain(problem)
    expect(await halted(world)).toEqual([
      [31337, 1],
      [OTHER_ID, 0],
    ])
    expect(await storedTokens(world)).toEqual([[OTHER_ID, 6]])

    wrong.kill('SIGKILL')
    await start('worker', world, chains(6))
    await waitFor(
      'the end of the halt',
      () => halted(world),
      (all) => all.every(([, value]) => value === 0),
    )
    expect(await problemOf(world)).toBe(null)
    expect(await storedTokens(world)).toEqual([
      [31337, 6],
      [OTHER_ID, 6],
    ])
  })

  test('nodes of another chain halt the chain before its first block, and leave no asset', async () => {
    const [chain, world] = await Promise.all([startTestChain(), createNewWorld()])
    await finalBlocks(chain)
    const worker = await start('worker', world, [{ rpc: chain.url, id: OTHER_ID }])
    await waitFor(
      'the fault',
      () => problemOf(world, OTHER_ID),
      (is) => is?.startsWith('wrong_chain') === true,
    )
    expect(await halted(world)).toEqual([[OTHER_ID, 1]])
    const line = await waitFor('the log', () => linesWith(worker, 'a pass failed')[0], Boolean)
    expect(line).toContain('31337')
    expect(await world.ctx.sql`select from asset where chain_id is not null`).toEqual([])
    await chain.call('anvil_setChainId', [OTHER_ID])
    await waitFor(
      'the end of the halt',
      () => halted(world),
      ([chain]) => chain?.[1] === 0,
    )
    expect(await problemOf(world, OTHER_ID)).toBe(null)
  })

  test('an API that starts while the nodes are away offers nothing until a worker has the proof', async () => {
    const [chain, world] = await Promise.all([startTestChain(), createNewWorld()])
    await finalBlocks(chain)
    const api = await start('api', world, [{ rpc: DEAD_NODE }])
    const { token } = await signUp(api.port, 'ada')
    expect(await offered(api)).toEqual([[31337, '']])
    expect(await publish(api, token)).toEqual([503, 'unavailable'])
    await start('worker', world, [{ rpc: chain.url }])
    await waitFor(
      'the assets',
      () => offered(api),
      ([first]) => first?.[1] === 'ETH,USDC',
    )
    expect(await publish(api, token)).toEqual([201, undefined])
  })

  test('an asset that was stored with wrong decimals is corrected while it is not used', async () => {
    const [chain, world] = await Promise.all([startTestChain(), createNewWorld()])
    await finalBlocks(chain)
    await chain.call('anvil_setCode', [TOKEN, EIGHTEEN])
    const { sql } = world.ctx
    await sql`
      insert into asset (id, chain_id, kind, address, symbol, decimals)
      values (${`eip155:31337/erc20:${TOKEN}`}, 31337, 'erc20', ${TOKEN}, 'USDC', 6)`
    await start('worker', world, [{ rpc: chain.url, decimals: 18 }])
    await waitFor(
      'the correction',
      () => storedTokens(world),
      ([token]) => token?.[1] === 18,
    )
    const settings = { CHAINS: chainsOf([{ rpc: DEAD_NODE, decimals: 6 }]) }
    const env = halfEnvironment({ databaseUrl: world.url, rpcUrl: '', env: settings })
    const { errors } = await startProgram('src/commands/server.ts', env).ended
    expect(errors).toContain('decimals, and the database 18.')
  })
})
