import { expect } from 'vitest'
import { encodeAddress, selectors } from '../../contracts-abi/index.ts'
import { checkLedger } from '../../src/domain/books/index.ts'
import { TOKEN } from '../support/world.ts'
import { EURC } from './chain.ts'
import { checkEscrows } from './escrow/check-escrows.ts'
import { checkEvents } from './events.ts'
import type { Simulation } from './world.ts'

/**
 * Checks the invariants that hold after each pass of a worker. Reads the chain directly, not the
 * nodes.
 */
export const checkInvariants = async (simulation: Simulation): Promise<void> => {
  const { pool } = simulation.world.ctx
  expect((await checkLedger(pool)).differences).toEqual([])
  await checkCredits(simulation)
  await checkEvents(simulation)
  await checkProofs(simulation)
  await checkBalances(simulation)
}

type Credit = { txHash: string; sender: string; account: string; symbol: string; amount: string }

/**
 * Each standing credit must be a payment that a donor signed, used at most once, with the paid
 * amount.
 */
const checkCredits = async ({ world, donors, campaigns }: Simulation): Promise<void> => {
  const credits = await world.ctx.sql<Credit[]>`
    select transfer.tx_hash, transfer.sender, campaign.account, asset.symbol, entry.amount
    from ledger_entry entry
    join chain_transfer transfer on transfer.id = entry.transfer_id
    join campaign on campaign.id = entry.campaign_id
    join asset on asset.id = entry.asset_id
    where entry.kind = 'donation'
      and not exists (select from ledger_entry taken where taken.reverses = entry.id)`
  const seen = new Set<string>()
  for (const credit of credits) {
    const { txHash, sender, ...paid } = credit
    const payment = donors.signed.get(txHash)
    const transfer = [payment, payment?.second].find((one) => one?.from === sender)
    const name = `${txHash} of ${sender}`
    expect(seen.has(name), `${name} is credited twice`).toBe(false)
    seen.add(name)
    expect({
      account: campaigns[payment?.campaign ?? -1]?.account,
      symbol: payment?.asset,
      amount: transfer?.amount.toString(),
    }).toEqual(paid)
  }
}

/** Only blocks that the committee has signed are proven, and no other block is final. */
const checkProofs = async ({ world, chain, beacon }: Simulation): Promise<void> => {
  if (!beacon) return
  const proven = await world.ctx.sql<{ number: number; hash: string }[]>`
    select block_number as number, block_hash as hash from committee_message
    order by block_number desc limit 3`
  for (const { number, hash } of proven) {
    const at = `0x${number.toString(16)}`
    expect(await chain.call('eth_getBlockByNumber', [at, false])).toMatchObject({ hash })
  }
  const newest = proven[0]?.number ?? 0
  expect(newest).toBeLessThanOrEqual(beacon.signed())
  expect(
    await world.ctx.sql`select from chain_state where finalized_number > ${newest}`,
  ).toHaveLength(0)
}

type Booked = { account: string; symbol: string; custody: string }

/**
 * If the service follows the canonical branch, the custody in its ledger must equal the balances of
 * the accounts at the final block. Skips an escrow whose final events wait for a proof of its code.
 */
const checkBalances = async (simulation: Simulation): Promise<void> => {
  const { chain, world, campaigns } = simulation
  const [state] = await world.ctx.sql<{ final: number; booked: number; hash: string | null }[]>`
    select least(finalized_number, cursor_number) as final, booked_number as booked,
           (select hash from chain_block block
            where block.chain_id = state.chain_id
              and block.number = least(finalized_number, cursor_number)) as hash
    from chain_state state`
  if (!state || state.booked < state.final) return
  const at = `0x${state.final.toString(16)}`
  const block = await chain.call<{ hash: string } | null>('eth_getBlockByNumber', [at, false])
  // The chain has another branch now, which the worker has not read yet.
  if (block?.hash !== state.hash) return
  const booked = await world.ctx.sql<Booked[]>`
    select campaign.account, asset.symbol,
           sum(case when entry.debit_account = account.id then entry.amount
                    else -entry.amount end)::text as custody
    from ledger_account account
    join campaign on campaign.id = account.campaign_id
    join asset on asset.id = account.asset_id
    join ledger_entry entry on account.id in (entry.debit_account, entry.credit_account)
    where account.kind = 'custody'
    group by campaign.account, asset.symbol`
  const waiting = await checkEscrows(simulation, state.final)
  const custody = new Map(booked.map((row) => [`${row.account} ${row.symbol}`, row.custody]))
  for (const { account } of campaigns) {
    if (waiting.has(account)) continue
    const ether = await chain.call<string>('eth_getBalance', [account, at])
    // A call of a token that is not deployed yet returns no data.
    const held = async (token: string): Promise<string> => {
      const data = encodeAddress(selectors.balanceOf, account)
      const balance = await chain.call<string>('eth_call', [{ to: token, data }, at])
      return balance === '0x' ? '0' : BigInt(balance).toString()
    }
    expect({
      at: state.final,
      ETH: custody.get(`${account} ETH`) ?? '0',
      USDC: custody.get(`${account} USDC`) ?? '0',
      EURC: custody.get(`${account} EURC`) ?? '0',
    }).toEqual({
      at: state.final,
      ETH: BigInt(ether).toString(),
      USDC: await held(TOKEN),
      EURC: await held(EURC),
    })
  }
}
