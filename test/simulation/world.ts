import { createHash } from 'node:crypto'
import { onTestFinished } from 'vitest'
import type { Actor } from '../../src/kernel/actor.ts'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import type { FaultProxy } from '../support/faults/proxy.ts'
import { holdTransitions } from '../support/hold-transitions.ts'
import { startTestChain, type TestChain } from '../support/test-chain.ts'
import { createTestCampaign, createUser, createWorld, type World } from '../support/world.ts'
import { type SimulatedBeacon, startBeacon } from './beacon.ts'
import { CHAIN, deployContracts, PRICES } from './chain.ts'
import { createDonors, type Donors } from './donors.ts'
import { approveAll } from './escrow/act-escrow.ts'
import { deployFactory, planEscrow, type SimulatedEscrow, USDC } from './escrow/escrows.ts'
import { CAMPAIGNS, DONORS, type Script, WORKERS } from './script.ts'
import { createSimulatedWorker, type SimulatedWorker } from './worker.ts'

type User = Actor & { kind: 'user' }
export type Campaign = { id: string; account: string }

/** All parts of a run: a chain, three nodes of it, a database, and workers. */
export type Simulation = {
  script: Script
  chain: TestChain
  /** Three proxies, which the service treats as independent nodes. */
  nodes: FaultProxy[]
  beacon: SimulatedBeacon | null
  /** No reorg removes this block or a block below it. */
  base: number
  clock: FakeClock
  world: World
  /** The plain campaigns, followed by the campaigns with an escrow. */
  campaigns: Campaign[]
  escrows: SimulatedEscrow[]
  /** One user for each wallet, with this wallet linked, and a stranger. */
  users: User[]
  stranger: User
  donors: Donors
  workers: SimulatedWorker[]
  /** The index of the worker that ran last. */
  atWork: number
  /** The errors of the newest pass of the worker. */
  problems: string[]
  /** The number of kills of the worker. */
  kills: number
}

const START_S = 1_800_000_000
const accountOf = (index: number): string =>
  `0x${createHash('sha256').update(`simulated campaign ${index}`).digest('hex').slice(0, 40)}`

export const createSimulation = async (script: Script): Promise<Simulation> => {
  const chain = await startTestChain({ slotsInEpoch: script.slotsInEpoch, timestamp: START_S })
  const nodes = await Promise.all(
    [1, 2, 3].map((seed) => startFaultProxy(chain.url, script.seed * 3 + seed)),
  )
  const clock = createFakeClock(new Date((START_S + 60) * 1_000))
  const beacon = script.hasCommittee ? await startBeacon(chain, clock) : null
  const world = await createWorld({ clock, chains: [CHAIN], prices: PRICES })
  await holdTransitions(world.url)
  const creator = await createUser(world.ctx)
  const campaigns: Campaign[] = []
  for (let index = 0; index < CAMPAIGNS; index++) {
    const account = accountOf(index)
    const milestones = ['300', '700', '2000']
    const id = await createTestCampaign(world.ctx, { creator, account, target: '3000', milestones })
    campaigns.push({ id, account })
  }
  const escrows = script.escrows.map((plan, index) => planEscrow(plan, index, START_S))
  for (const escrow of escrows) {
    await storeEscrow(world.ctx, creator, escrow)
    campaigns.push({ id: escrow.campaignId, account: escrow.account })
  }
  const donors = createDonors(
    chain,
    // The wallets of the donors, of the relayer and of the escrows' creator.
    DONORS + 2,
    campaigns.map((campaign) => campaign.account),
  )
  await deployFactory(chain, START_S + 3)
  const wallets = Array.from({ length: DONORS }, (_, donor) => donors.address(donor))
  await deployContracts(chain, wallets, START_S + 4)
  await approveAll({ donors, escrows })
  await chain.call('evm_setNextBlockTimestamp', [START_S + 5])
  await chain.mine()
  const users: User[] = []
  for (let index = 0; index < DONORS; index++) {
    const user = await createUser(world.ctx)
    await world.ctx.sql`
      insert into wallet (id, user_id, address, chain_id, method, created_at)
      values (gen_random_uuid(), ${user.userId}, ${donors.address(index)}, 31337, 'ecdsa',
              ${clock.now()})`
    users.push(user)
  }
  const places = {
    databaseUrl: world.url,
    rpcUrls: nodes.map((node) => node.url),
    committee: beacon?.settings,
  }
  const workers = Array.from({ length: WORKERS }, () => createSimulatedWorker(places))
  onTestFinished(() => {
    for (const worker of workers) worker.stop()
  })
  return {
    script,
    chain,
    nodes,
    beacon,
    base: await chain.head(),
    clock,
    world,
    campaigns,
    escrows,
    users,
    stranger: await createUser(world.ctx),
    donors,
    workers,
    atWork: 0,
    problems: [],
    kills: 0,
  }
}

/** Inserts a campaign with an escrow, with the same rows as the API creates. */
const storeEscrow = async (
  ctx: World['ctx'],
  creator: User,
  { campaignId, account, terms, packed }: SimulatedEscrow,
): Promise<void> => {
  const units = [terms.target, ...terms.milestones.map(({ amount }) => amount)]
  const [target = '', ...milestones] = units.map((amount) => (amount / USDC).toString())
  await createTestCampaign(ctx, { id: campaignId, creator, account, target, milestones })
  await ctx.sql`
    insert into campaign_escrow (campaign_id, terms) values (${campaignId}, ${packed})`
}
