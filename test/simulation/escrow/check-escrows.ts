import { expect } from 'vitest'
import { encodeAddress, selectors } from '../../../contracts-abi/index.ts'
import { TOKEN } from '../../support/world.ts'
import type { Simulation } from '../world.ts'
import { readView, type SimulatedEscrow } from './escrows.ts'
import { type EscrowFacts, nameOf, readFacts } from './facts.ts'

/**
 * Compares the service's books of each escrow with the logs up to the final block, and with the
 * contract. Skips escrows whose final events are not settled, because no node proved their code,
 * and returns their accounts.
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
    // A failure after the last milestone does not count, because only the surplus is refunded then.
    hasFailed: failed !== undefined && failed.reason !== 'surplus',
  })
  const views = await readViews(simulation, escrow, final)
  if (views) expect(views).toEqual({ received, released, refunded })
  await checkReturns(simulation, escrow, facts)
}

/**
 * A donation by an unrecorded transfer must have the refund that the contract's return of it shows.
 */
const checkReturns = async (
  { world }: Simulation,
  { account, campaignId }: SimulatedEscrow,
  { transfers, returned }: EscrowFacts,
): Promise<void> => {
  const rows = await world.ctx.sql<
    { transaction: string; position: number; refunded: string | null }[]
  >`
    select transfer.tx_hash as transaction, transfer.position, refunded_amount as refunded
    from donation join chain_transfer transfer on transfer.id = donation.transfer_id
    where donation.campaign_id = ${campaignId} and transfer.recipient = ${account}
      and donation.status in ('completed', 'partly_refunded', 'refunded')`
  const booked = new Map(rows.map((row) => [nameOf(row), row.refunded]))
  for (const transfer of transfers) {
    const name = nameOf(transfer)
    const refunded = booked.get(name)
    if (transfer.recorded || refunded === undefined) continue
    const back = returned.get(name)
    const isOwn = back?.asset === transfer.asset && back.amount !== '0'
    expect(`${name} got back ${refunded}`).toBe(
      `${name} got back ${isOwn ? least(BigInt(back.amount), transfer.amount) : null}`,
    )
  }
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)

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

/**
 * Reads the sums from the contract at a block. Undefined without code, or if the state is pruned.
 */
const readViews = async ({ chain }: Simulation, { account }: SimulatedEscrow, final: number) => {
  const at = `0x${final.toString(16)}`
  const [released] = (await readView(chain, account, 'released', [], at)) ?? []
  const [refunded] = (await readView(chain, account, 'refunded', [], at)) ?? []
  if (typeof released !== 'bigint' || typeof refunded !== 'bigint') return undefined
  const data = encodeAddress(selectors.balanceOf, account)
  const balance = await chain.call<string>('eth_call', [{ to: TOKEN, data }, at])
  return { received: BigInt(balance) + released + refunded, released, refunded }
}
