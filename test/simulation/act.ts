import { checkDepositClaim, claimDeposit } from '../../src/domain/donations/index.ts'
import { DomainError } from '../../src/kernel/errors.ts'
import { formatUnits } from '../../src/kernel/money/money.ts'
import { recordDonation, recordIntent } from '../support/donate.ts'
import { createRandom } from '../support/random.ts'
import type { Payment } from './donors.ts'
import { callEscrow, give } from './escrow/act-escrow.ts'
import { setFault } from './faults.ts'
import { checkInvariants } from './invariants.ts'
import { type Action, CAMPAIGNS } from './script.ts'
import type { Simulation } from './world.ts'

type Of<K extends Action['kind']> = Extract<Action, { kind: K }>

const CENT = 10_000n
const MILLI_ETHER_HUNDREDTH = 10n ** 13n
const unitOf = (asset: Payment['asset']): bigint => (asset === 'ETH' ? MILLI_ETHER_HUNDREDTH : CENT)
const decimalsOf = (asset: Payment['asset']): number => (asset === 'ETH' ? 18 : 6)
const OUTAGE_S = 86_400

/** Runs one action, and checks the invariants after each pass of a worker. */
export const act = async (simulation: Simulation, action: Action): Promise<void> => {
  simulation.clock.advance(1_000)
  switch (action.kind) {
    case 'pay':
      return pay(simulation, action)
    case 'give':
      return giveAndTell(simulation, action)
    case 'escrow':
      // A reorg can leave a gap of nonces, which would block the newest calls of the actors.
      await simulation.donors.resend(createRandom(0), 0)
      return callEscrow(simulation, action)
    case 'tell':
      return tellLater(simulation, action)
    case 'tell-nonsense':
      return tellNonsense(simulation, action)
    case 'intend':
      return intend(simulation, action)
    case 'claim':
      return claim(simulation, action)
    case 'replace':
      return simulation.donors.replace(action.donor, action.how, 0)
    case 'mine':
      await mine(simulation, action.blocks)
      if (action.work) await work(simulation)
      return
    case 'reorganise':
      return reorganise(simulation, action)
    case 'fault':
      return fault(simulation, action)
    case 'beacon':
      await simulation.beacon?.setFault(action.feed, action.fault)
      return work(simulation)
    case 'outage':
      return outage(simulation, action)
    case 'heal':
      return heal(simulation)
    case 'work':
      for (let times = 0; times < action.times; times++) await work(simulation, action.worker)
      return
    case 'kill':
      return work(simulation, action.worker, action.at)
    case 'wait':
      simulation.clock.advance(action.seconds * 1_000)
  }
}

/** Runs one pass of a worker's jobs, and checks the invariants. */
export const work = async (simulation: Simulation, index = 0, crashAt?: string): Promise<void> => {
  const { workers, clock, beacon } = simulation
  await beacon?.sign()
  if (index !== simulation.atWork) await endLease(simulation)
  simulation.atWork = index
  const worker = workers[index]
  if (!worker) throw new Error(`There is no worker ${index}.`)
  const { killed, problems } = await worker.work(clock.now().getTime(), crashAt)
  simulation.problems = problems
  if (killed) {
    simulation.kills += 1
    await endLease(simulation)
  }
  await checkInvariants(simulation)
}

/**
 * Ends leases and claims, because they depend on the database's clock, which an action cannot move.
 */
const endLease = async ({ world }: Simulation): Promise<void> => {
  await world.ctx.sql`update chain_state set lease_until = now()`
  await world.ctx.sql`update donation_proof set next_try_at = now()`
}

export const heal = async ({ nodes, beacon }: Simulation): Promise<void> => {
  beacon?.heal()
  for (const node of nodes) node.heal()
}

export const mine = async ({ chain, clock }: Simulation, blocks: number): Promise<void> => {
  for (let block = 0; block < blocks; block++) {
    clock.advance(2_000)
    const latest = await chain.call<{ timestamp: string }>('eth_getBlockByNumber', [
      'latest',
      false,
    ])
    const now = Math.floor(clock.now().getTime() / 1_000)
    const time = Math.max(Number(latest.timestamp) + 1, now)
    await chain.call('evm_setNextBlockTimestamp', [time])
    await chain.mine()
  }
}

const pay = async (simulation: Simulation, action: Of<'pay'>): Promise<void> => {
  const { donors, stranger, users } = simulation
  const payment = await donors.pay(action.donor, {
    campaign: action.campaign,
    asset: action.asset,
    amount: BigInt(action.amount) * unitOf(action.asset),
  })
  const self = users[action.donor]
  if (action.recorded === 'no' || !self) return
  if (action.recorded === 'by-a-stranger-first') await tell(simulation, stranger, payment)
  await tell(simulation, self, payment, action.recorded === 'wrong-amount' ? 2n : 1n)
  if (action.recorded === 'twice') await tell(simulation, self, payment)
}

const giveAndTell = async (simulation: Simulation, action: Of<'give'>): Promise<void> => {
  const payment = await give(simulation, action)
  const self = simulation.users[action.donor]
  if (!payment || !self || action.recorded === 'no') return
  await tell(simulation, self, payment)
  const { second } = payment
  const other = second && simulation.users[second.donor]
  if (other) await tell(simulation, other, { ...payment, ...second })
  if (action.recorded === 'twice') await tell(simulation, self, payment)
}

const tellLater = async (simulation: Simulation, { which }: Of<'tell'>): Promise<void> => {
  const all = [...simulation.donors.signed.values()].filter((one) => one.campaign !== null)
  const payment = all[Math.floor(which * all.length)]
  const self = payment && simulation.users[payment.donor]
  if (payment && self) await tell(simulation, self, payment)
}

const tellNonsense = async (simulation: Simulation, action: Of<'tell-nonsense'>): Promise<void> => {
  const hash = `0x${action.number.toString(16).padStart(64, 'f')}`
  const from = simulation.donors.address(0)
  const payment: Payment = { ...action, hash, from, donor: 0, asset: 'USDC', amount: 5n * CENT }
  await tell(simulation, simulation.stranger, payment)
}

/**
 * Records a donation. The service may refuse only if another user has recorded it, or if the escrow
 * of its campaign has failed or does not hold the asset.
 */
const tell = async (
  { world, campaigns, clock }: Simulation,
  user: Simulation['stranger'],
  payment: Payment,
  factor = 1n,
): Promise<void> => {
  clock.advance(10)
  const campaign = campaigns[payment.campaign ?? 0]
  try {
    await recordDonation(world.as(user), {
      campaignId: campaign?.id ?? '',
      amount: {
        value: formatUnits(payment.amount * factor, decimalsOf(payment.asset)),
        currency: payment.asset,
      },
      transaction: { txHash: payment.hash, ledgerAddress: payment.from },
    })
  } catch (error) {
    const isEscrow = (payment.campaign ?? 0) >= CAMPAIGNS
    const allowed = [
      'transfer_already_claimed',
      ...(isEscrow ? ['campaign_not_active', 'conflict'] : []),
    ]
    if (!(error instanceof DomainError) || !allowed.includes(error.code)) throw error
  }
}

/** Records an intent before the donor's wallet pays. */
const intend = async (simulation: Simulation, action: Of<'intend'>): Promise<void> => {
  const { world, campaigns, donors, users } = simulation
  const user = users[action.donor]
  const units = BigInt(action.amount) * unitOf(action.asset)
  if (!user) return
  await recordIntent(world.as(user), {
    campaignId: campaigns[action.campaign]?.id ?? '',
    amount: { value: formatUnits(units, decimalsOf(action.asset)), currency: action.asset },
    donor: { walletAddress: donors.address(action.donor) },
  })
}

/** Claims, as the holder of the paying wallet, a deposit or the donation of another user. */
const claim = async (simulation: Simulation, { which }: Of<'claim'>): Promise<void> => {
  const { world, users, donors, escrows } = simulation
  const deposits = await world.ctx.sql<{ id: string; sender: string; recipient: string }[]>`
    select id, sender, recipient from chain_transfer where block_number is not null
    order by tx_hash, position`
  const deposit = deposits[Math.floor(which * deposits.length)]
  const user = users.find((_, index) => donors.address(index) === deposit?.sender)
  if (!deposit || !user) return
  const ctx = world.as(user)
  try {
    await claimDeposit(ctx, deposit.id, await checkDepositClaim(ctx, deposit.id, {}))
  } catch (error) {
    // An escrow that has failed or does not hold the asset returns the money instead.
    const isEscrow = escrows.some(({ account }) => account === deposit.recipient)
    const refused = ['campaign_not_active', 'conflict']
    if (!isEscrow || !(error instanceof DomainError) || !refused.includes(error.code)) throw error
  }
}

const reorganise = async (simulation: Simulation, action: Of<'reorganise'>): Promise<void> => {
  const { chain, donors, base, beacon } = simulation
  const head = await chain.head()
  const depth = Math.min(action.depth, head - Math.max(base, beacon?.signed() ?? 0))
  if (depth < 1) return
  const random = createRandom(action.random)
  const kept = await donors.keep(head - depth, action.keep)
  const offsets = kept.map(() => random.int(0, depth - 1)).sort((a, b) => a - b)
  await chain.reorg(
    depth,
    kept.map((signed, index) => [signed, offsets[index] ?? 0] as const),
  )
  await donors.resend(random, action.replace)
}

const fault = async (simulation: Simulation, action: Of<'fault'>): Promise<void> => {
  await heal(simulation)
  const node = simulation.nodes[action.node]
  const account = simulation.campaigns[0]?.account ?? ''
  if (node) setFault(node, action.fault, await simulation.chain.head(), account)
  await mine(simulation, action.blocks)
  await work(simulation)
}

/** Makes some or all nodes unreachable for a day. */
const outage = async (simulation: Simulation, action: Of<'outage'>): Promise<void> => {
  await heal(simulation)
  for (const node of simulation.nodes.slice(0, action.nodes)) node.set({ kind: 'drop' })
  for (const _hour of [0, 1, 2]) {
    await work(simulation)
    simulation.clock.advance((OUTAGE_S / 3) * 1_000)
  }
  await heal(simulation)
}
