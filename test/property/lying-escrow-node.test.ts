import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../src/db/client.ts'
import type { Context } from '../../src/db/context.ts'
import { syncChain } from '../../worker/chain/sync-chain.ts'
import { createChainSync } from '../support/chain-sync.ts'
import { createTestDatabase } from '../support/database.ts'
import { isFull } from '../support/full.ts'
import { createRandom } from '../support/random.ts'
import { hasAnvil } from '../support/test-chain.ts'
import { createContext, TEST_CHAIN } from '../support/world.ts'
import { escrowLies } from './lies/escrow-lies.ts'
import { createEscrowScene, type EscrowScene } from './lies/escrow-scene.ts'
import { LIES, type Lie, liesAbout, someOf } from './lies/lies.ts'
import { answerOf, serveNodes } from './lies/nodes.ts'
import type { JsonObject } from './lies/places.ts'

/**
 * With `LIES` 0 or 1 only `SAMPLE` lies are tested, because each lie needs a copy of the database.
 */
const SAMPLE = isFull ? 30 : 12
const SEED = Number(process.env.LIES_SEED ?? 20_260_301)
const AT_ONCE = 3
const HOURS_MS = 4 * 3_600_000

test.skipIf(!hasAnvil)(
  'a lie of the only node about an escrow can only delay its payments, failures and refunds',
  async () => {
    const scene = await createEscrowScene()
    const server = await serveNodes(answerOf(scene.chain.url))
    onTestFinished(() => server.close())
    const before = await effectsIn(scene.world.ctx)
    await scene.world.ctx.pool.end({ timeout: 1 })

    /** Follows the chain in a copy of the database, first with this lie and then without it. */
    const follow = async (lie?: Lie) => {
      const database = await createTestDatabase({ url: scene.world.url, drop: async () => {} })
      const pool = createDatabase({ url: database.url, max: 2, name: 'test' })
      const { ctx } = await createContext(pool)
      const seen: string[][] = []
      const liar = server.open(lie)
      for (const nodes of [liar, server.open()]) {
        await followAt(scene, ctx, nodes.urls[0] ?? '').catch(() => {})
        seen.push(await effectsIn(ctx))
        nodes.forget()
      }
      await pool.end({ timeout: 1 })
      await database.drop()
      return { lied: seen[0] ?? [], healed: seen[1] ?? [], met: liar.met, asked: liar.asked }
    }

    const honest = await follow()
    expect(honest.healed).toEqual(honest.lied)
    const failures: string[] = []
    const lies = sampleOf(honest.asked)
    const open = lies.values()
    const work = async () => {
      for (const lie of open) {
        const { lied, healed, met } = await follow(lie)
        const name = `${lie.call.slice(0, 100)}, ${lie.field}, ${lie.family} (${lie.kind})`
        if (!met) failures.push(`${name}: the liar was not asked`)
        const wrong = surplusOf(lied, [before, honest.lied])
        if (wrong.length > 0) failures.push(`${name}: ${wrong.join('; ')}`)
        if (healed.join() !== honest.lied.join()) failures.push(`${name}: not healed`)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    expect(failures).toEqual([])
  },
  HOURS_MS,
)

const followAt = async (scene: EscrowScene, ctx: Context, url: string): Promise<void> => {
  const options = { backoffMs: 1, maxWaitMs: 50 }
  const sync = createChainSync(
    ctx,
    { ...TEST_CHAIN, name: 'test', rpc: [url], startBlock: 0 },
    options,
  )
  // The sync needs the owner of the lease in the copied database.
  await syncChain({ ...sync, owner: scene.sync.owner }, new AbortController().signal)
  await sync.client.close()
}

/** All lies about events and codes of escrows, and a sample of the other lies. */
const sampleOf = (asked: ReadonlyMap<string, JsonObject>): Lie[] => {
  const some = someOf(liesAbout(asked), SEED)
  const random = createRandom(SEED)
  const sample = LIES <= 1 ? Array.from({ length: SAMPLE }, () => random.pick(some)) : some
  return [...escrowLies(asked), ...sample]
}

/** The lines that occur more often than in each of the `others`. */
const surplusOf = (lines: readonly string[], others: readonly string[][]): string[] => {
  const countIn = (list: readonly string[], line: string) =>
    list.filter((one) => one === line).length
  return [...new Set(lines)].filter((line) =>
    others.every((other) => countIn(lines, line) > countIn(other, line)),
  )
}

/** All rows that events of escrows change, as sorted lines. */
const effectsIn = async ({ sql }: Context): Promise<string[]> => {
  const rows = await sql<{ line: string }[]>`
    select concat_ws(' ', 'entry', entry.kind, debit.kind, credit.kind, entry.amount) as line
    from ledger_entry entry
    join ledger_account debit on debit.id = entry.debit_account
    join ledger_account credit on credit.id = entry.credit_account
    union all
    select concat_ws(' ', 'milestone', position, status, verification_round) from milestone
    union all
    select concat_ws(' ', 'campaign', status, raised)
    from campaign join campaign_total on campaign_id = id
    union all
    select concat_ws(' ', 'donation', status, credited_amount, refunded_amount) from donation
    union all
    select concat_ws(' ', 'event', type, event.body::json #>> '{data,amount,value}') from event
    order by line`
  return rows.map(({ line }) => line)
}
