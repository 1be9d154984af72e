import { expect } from 'vitest'
import { checkSeals } from '../../src/domain/books/index.ts'
import { TOKEN } from '../support/world.ts'
import { act, heal, mine, work } from './act.ts'
import type { Payment } from './donors.ts'
import { finishEscrows } from './escrow/finish.ts'
import { CAMPAIGNS, writeScript } from './script.ts'
import { createSimulation, type Simulation } from './world.ts'

/** The result of a run without ids and times. Two runs of the same seed have equal results. */
export type Summary = {
  head: string
  donations: readonly unknown[]
  entries: readonly unknown[]
  events: readonly unknown[]
}

/** Runs the script of a seed to its end. Returns the result. */
export const run = async (seed: number): Promise<Summary> => {
  const script = writeScript(seed)
  const simulation = await createSimulation(script)
  for (const [index, action] of script.actions.entries()) {
    try {
      await act(simulation, action)
    } catch (error) {
      console.error(`seed ${seed}, action ${index}: ${JSON.stringify(action)}`)
      throw error
    }
  }
  await settleAll(simulation)
  await finishEscrows(simulation, () => settleAll(simulation))
  await tellStory(simulation)
  return summarise(simulation)
}

const MOST_PASSES = 60
/** Longer than any pause between two look-ups of a transaction. */
const NEXT_CHECK_MS = 700_000

/** Makes all nodes honest. Then all recorded payments must be settled, and none may be lost. */
const settleAll = async (simulation: Simulation): Promise<void> => {
  const { chain, clock, script } = simulation
  await heal(simulation)
  await mine(simulation, script.slotsInEpoch * 2 + 3)
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    clock.advance(NEXT_CHECK_MS)
    await work(simulation)
    if ((await unsettled(simulation)).length === 0) break
  }
  expect({ unsettled: await unsettled(simulation), problems: simulation.problems }).toEqual({
    unsettled: [],
    problems: [],
  })
  // No action makes the chain and the ledger differ, so any difference is a bug of the service.
  expect(await simulation.world.ctx.sql`select * from ledger_difference`).toEqual([])
  expect((await checkSeals(simulation.world.ctx.pool)).differences).toEqual([])
  const [state] = await simulation.world.ctx.sql<{ cursorNumber: number }[]>`
    select cursor_number from chain_state`
  expect(state?.cursorNumber).toBe(await chain.head())
}

/**
 * Lists recorded payments in final blocks that are not credited, and transfers without an entry.
 */
const unsettled = async (simulation: Simulation) => {
  const { world, chain, donors, campaigns, script } = simulation
  const final = (await chain.head()) - script.slotsInEpoch * 2
  const recorded = await world.ctx.sql<{ txHash: string; campaignId: string; done: boolean }[]>`
    select tx_hash, campaign_id, ledger_address,
           bool_or(status in ('completed', 'partly_refunded', 'refunded')) as done from donation
    where tx_hash is not null group by tx_hash, campaign_id, ledger_address`
  const open: string[] = []
  for (const { txHash: tx_hash, campaignId: campaign_id, done } of recorded) {
    const payment = donors.signed.get(tx_hash)
    if (done || !payment || campaigns[payment.campaign ?? -1]?.id !== campaign_id) continue
    const receipt = await chain.call<Receipt | null>('eth_getTransactionReceipt', [tx_hash])
    const isPaid = receipt?.status === '0x1' && brings(receipt, payment, simulation)
    if (isPaid && Number(receipt.blockNumber) <= final) open.push(tx_hash)
  }
  const [state] = await world.ctx.sql<{ behind: boolean }[]>`
    select finalized_number < ${final} or booked_number < ${final} as behind from chain_state`
  const late = await world.ctx.sql<{ id: string }[]>`
    select id from escrow_event where settled_at is null and block_number <= ${final}`
  open.push(...late.map(({ id }) => `the event ${id}`))
  return state?.behind === false ? open : [...open, 'the chain']
}

type Receipt = {
  blockNumber: string
  status: string
  logs: { address: string; topics: string[] }[]
}

/**
 * Whether a successful transaction makes its payment. A call of an escrow without code succeeds
 * without a payment, and only the escrow's token counts.
 */
const brings = (receipt: Receipt, payment: Payment, { campaigns }: Simulation): boolean => {
  if ((payment.campaign ?? 0) < CAMPAIGNS) return true
  const account = campaigns[payment.campaign ?? -1]?.account.slice(2) ?? ''
  return receipt.logs.some(
    ({ address, topics }) => address === TOKEN && topics[2]?.endsWith(account),
  )
}

const summarise = async ({ world, chain }: Simulation): Promise<Summary> => {
  const { sql } = world.ctx
  const latest = await chain.call<{ hash: string }>('eth_getBlockByNumber', ['latest', false])
  return {
    head: latest.hash,
    donations: await sql`
      select tx_hash, status, reason, confirmed_amount, credited_amount, discrepancy, block_number
      from donation order by created_at, tx_hash`,
    entries: await sql`
      select entry.kind, entry.asset_id, entry.amount, entry.block_number, transfer.tx_hash,
             transfer.generation
      from ledger_entry entry left join chain_transfer transfer on transfer.id = entry.transfer_id
      order by entry.id`,
    events: await sql`select type from event order by seq`,
  }
}

/** Prints a line with the numbers of credits, faults and kills, among others, of a run. */
const tellStory = async ({ world, script, nodes, kills }: Simulation): Promise<void> => {
  const [counts] = await world.ctx.sql`
    select count(*) filter (where kind = 'donation') as credits,
           count(*) filter (where kind = 'deposit') as deposits,
           count(*) filter (where kind = 'payout') as payouts,
           count(*) filter (where kind = 'refund') as refunds,
           (select count(*) from escrow_event where kind = 'TransferReturned'
              and settled_at is not null) as returns,
           count(*) filter (where kind = 'reversal') as reversals from ledger_entry`
  const faulty = nodes.reduce((sum, node) => sum + node.faulted, 0)
  console.info(
    `seed ${script.seed}: ${script.actions.length} actions, ${counts?.credits} credits, ` +
      `${counts?.deposits} deposits, ${counts?.payouts} payouts, ${counts?.refunds} refunds, ` +
      `${counts?.returns} returns, ` +
      `${counts?.reversals} reversals, ${kills} kills, ${faulty} faulty answers`,
  )
}
