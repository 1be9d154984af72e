import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { run as check } from '../../src/commands/check.ts'
import { createDatabase } from '../../src/db/client.ts'
import { createEndpoint } from '../../src/domain/events/index.ts'
import { call } from './api-user.ts'
import { address } from './chain-facts.ts'
import { runCommand } from './command.ts'
import { startReceiver } from './receiver.ts'
import type { TestChain } from './test-chain.ts'
import { exactly, waitFor } from './wait-for.ts'
import { createContext, createTestCampaign, createUser, TEST_CHAIN } from './world.ts'

export type Giving = {
  chain: TestChain
  campaignId: string
  /** The account of the campaign. */
  account: string
  /** The ports of the APIs, which the donors use in turn. */
  ports: readonly number[]
  token: string
  donors?: number
}

const PAUSE_MS = 100
const MINE_EVERY_MS = 300
/** The pause before a refused request is sent again. */
const RETRY_MS = 50

/**
 * Donors who give 1 USDC again and again, each by a transaction of its own. A donor sends a
 * request again after a 503, until it is answered with 201, or with 200 if it had been written. Any
 * other answer, and a broken connection, is an error.
 */
export const startGiving = (giving: Giving) => {
  const { chain, campaignId, account, ports, token, donors = 4 } = giving
  const acknowledged: { id: string; body: object; atMs: number }[] = []
  let refusals = 0
  let over = false

  const post = async (body: object, index: number): Promise<void> => {
    for (; ; await pause(RETRY_MS)) {
      const port = ports[index % ports.length] ?? 0
      const answer = await call(port, 'POST', '/api/donations', { token, body })
      if (answer.status === 201 || answer.status === 200) {
        const { id } = answer.body.donation as { id: string }
        acknowledged.push({ id, body, atMs: performance.now() })
        return
      }
      const mayWait = answer.status === 503 && answer.headers.has('retry-after')
      if (!mayWait) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
      refusals++
    }
  }
  const give = async (donor: number): Promise<void> => {
    for (let index = donor; !over; index++) {
      const { hash, from } = await chain.send(await chain.signToken(donor, account, 1_000_000n))
      const transaction = { txHash: hash, ledgerAddress: from }
      await post({ campaignId, amount: { value: 1, currency: 'USDC' }, transaction }, index)
      await pause(PAUSE_MS)
    }
  }
  const mine = async (): Promise<void> => {
    for (; !over; await pause(MINE_EVERY_MS)) await chain.mine()
  }
  const running = Promise.all([mine(), ...Array.from({ length: donors }, (_, at) => give(at + 1))])
  // A failure is reported by the next `more` or `stop`.
  running.catch(() => {})
  const more = (count: number): Promise<unknown> => {
    const wanted = acknowledged.length + count
    const arrived = waitFor(
      `${count} more donations`,
      () => acknowledged.length,
      (length) => length >= wanted,
      60_000,
    )
    return Promise.race([arrived, running.then(() => arrived)])
  }

  return {
    acknowledged,
    more,
    /** Does something, waits for further donations, and prints the longest time without one. */
    async during<T>(what: string, act: () => Promise<T>): Promise<T> {
      const [before, refused] = [Math.max(0, acknowledged.length - 1), refusals]
      const result = await act()
      await more(20)
      const times = acknowledged.slice(before).map(({ atMs }) => atMs)
      const gap = Math.max(...times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0)))
      const seconds = (gap / 1_000).toFixed(1)
      console.log(`${what}: longest gap ${seconds} s, ${refusals - refused} requests got 503`)
      return result
    },
    /** Lets each donor end, and makes all their blocks final. */
    async stop(): Promise<void> {
      over = true
      await running
      await chain.mine(3)
    },
  }
}

/** A creator with a webhook and a campaign on each chain, in a database without others. */
export const createFundraiser = async (url: string, chainIds = [TEST_CHAIN.id]) => {
  const pool = createDatabase({ url, max: 2 })
  onTestFinished(() => pool.end({ timeout: 1 }))
  const chains = chainIds.map((id) => ({ ...TEST_CHAIN, id }))
  const { ctx, as } = await createContext(pool, { chains })
  const creator = await createUser(ctx)
  const receiver = await startReceiver()
  receiver.trust((await createEndpoint(as(creator), { url: receiver.url })).secret ?? '')
  const terms = { creator, account: address('campaign'), target: '1000000' }
  const campaignIds: string[] = []
  for (const chainId of chainIds) {
    campaignIds.push(await createTestCampaign(ctx, { ...terms, chainId }))
  }
  return { url, pool, receiver, account: terms.account, campaignIds }
}

type Fundraiser = Awaited<ReturnType<typeof createFundraiser>>
type Load = ReturnType<typeof startGiving>

/**
 * Expects that each acknowledged donation completes, is booked once and announced once, and that
 * the whole ledger agrees.
 */
export const expectWhole = async (
  { url, pool, receiver }: Fundraiser,
  loads: readonly Load[],
): Promise<void> => {
  const ids = loads.flatMap(({ acknowledged }) => acknowledged.map(({ id }) => id)).toSorted()
  await waitFor(
    'all donations to complete and to be sealed',
    async () => {
      const [row] = await pool<{ open: number }[]>`
        select ((select count(*) from donation where status <> 'completed')
          + (select count(*) from ledger_entry) - (select count(*) from sealed_entry))::int as open`
      return row?.open ?? -1
    },
    exactly(0),
    60_000,
  )
  const stored = await pool<{ id: string }[]>`select id from donation`
  expect(stored.map(({ id }) => id).toSorted()).toEqual(ids)
  const [sums] = await pool`select sum(raised)::text as raised from campaign_total`
  expect(sums).toEqual({ raised: `${ids.length}000000` })
  expect(await runCommand(check, [], { DATABASE_URL: url })).toMatchObject({
    code: 0,
    out: expect.stringContaining('0 of them not sealed yet: every total and every seal agrees'),
  })
  const emitted = await pool<{ id: string }[]>`
    select id from event where type = 'donation.completed'`
  expect(emitted).toHaveLength(ids.length)
  // A delivery whose result was not stored is sent again after its lease of 30 s.
  await waitFor(
    'every event to arrive',
    () => {
      const arrived = new Set(receiver.received.map(({ id }) => id))
      return emitted.filter(({ id }) => !arrived.has(id)).length
    },
    exactly(0),
    60_000,
  )
  expect(receiver.events()).toHaveLength(emitted.length)
  expect(receiver.refused).toEqual([])
}
