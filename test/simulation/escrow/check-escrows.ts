import { expect } from 'vitest'
import type { Simulation } from '../world.ts'
import { readView, type SimulatedEscrow } from './escrows.ts'
import { readFacts } from './facts.ts'

/**
 * What the service has booked for each escrow is what the logs of the chain say up to the final
 * block, and so does the contract itself. Returns the accounts of escrows with final events that
 * are not settled, because no node proved their code: they are not checked.
 */
export const checkEscrows = async (
  simulation: Simulation,
  final: number,
): Promise<ReadonlySet<string>> => {
  const { sql } = simulation.world.ctx
  const rows = await sql<{ account: string }[]>`
    select distinct account from escrow_event
    where settled_at is null and block_number <= ${final}`
  const waiting = new Set(rows.map(({ account }) => account))
  for (const escrow of simulation.escrows) {
    if (!waiting.has(escrow.account)) await checkEscrow(simulation, escrow, final)
  }
  return waiting
}

const checkEscrow = async (
  simulation: Simulation,
  escrow: SimulatedEscrow,
  final: number,
): Promise<void> => {
  const facts = await readFacts(simulation.chain, escrow, final)
  const { received, released, refunded, milestones, failed } = facts
  const state = await readState(simulation, escrow)
  expect({ escrow: escrow.account, ...(await readBooked(simulation, escrow)), ...state }).toEqual({
    escrow: escrow.account,
    received,
    released,
    paid: released,
    refunded,
    milestones,
    // A failure after the last milestone only gives back the surplus.
    hasFailed: failed !== undefined && failed.reason !== 'surplus',
  })
  const views = await readViews(simulation, escrow, final)
  if (views) expect(views).toEqual({ received, released, refunded })
}

const readBooked = async ({ world }: Simulation, { campaignId }: SimulatedEscrow) => {
  const [row] = await world.ctx.sql<
    Record<'received' | 'released' | 'paid' | 'refunded', string>[]
  >`
    select
      coalesce(sum(entry.amount) filter (
        where entry.kind in ('donation', 'deposit') and custody.id is not null), 0)::text as received,
      coalesce(sum(entry.amount) filter (where entry.kind = 'release'), 0)::text as released,
      coalesce(sum(entry.amount) filter (where entry.kind = 'payout'), 0)::text as paid,
      coalesce(sum(entry.amount) filter (where entry.kind = 'refund'), 0)::text as refunded
    from ledger_entry entry join asset on asset.id = entry.asset_id
    left join ledger_account custody
      on custody.kind = 'custody' and custody.id in (entry.debit_account, entry.credit_account)
    where entry.campaign_id = ${campaignId} and asset.symbol = 'USDC'
      and not exists (select from ledger_entry taken where taken.reverses = entry.id)`
  return {
    received: BigInt(row?.received ?? 0),
    released: BigInt(row?.released ?? 0),
    paid: BigInt(row?.paid ?? 0),
    refunded: BigInt(row?.refunded ?? 0),
  }
}

const readState = async ({ world }: Simulation, { campaignId }: SimulatedEscrow) => {
  const [row] = await world.ctx.sql<{ status: string; milestones: number[] }[]>`
    select status,
           (select coalesce(array_agg(position order by position), '{}') from milestone
            where campaign_id = campaign.id and milestone.status = 'released') as milestones
    from campaign where id = ${campaignId}`
  return {
    milestones: row?.milestones ?? [],
    hasFailed: ['failed', 'cancelled'].includes(row?.status ?? ''),
  }
}

/** The sums of the contract itself at a block. Undefined without code, or for a pruned state. */
const readViews = async ({ chain }: Simulation, { account }: SimulatedEscrow, final: number) => {
  const at = `0x${final.toString(16)}`
  const read = (name: string) => readView(chain, account, name, [], at)
  const [received, released, refunded] = [
    await read('received'),
    await read('released'),
    await read('refunded'),
  ]
  if (!received || !released || !refunded) return undefined
  return { received: received[0], released: released[0], refunded: refunded[0] }
}
