import { describe, expect, test } from 'vitest'
import { hasAnvil } from '../../support/test-chain.ts'
import { ACCOUNT, createProofWorld } from '../proofs/support/proof-world.ts'
import { readLive } from './support/read-live.ts'
import { pagesOf } from './support/test-pages.ts'

/** The pages over a followed chain, and gifts that are credited, sealed and proven. */
const setUp = async () => {
  const world = await createProofWorld()
  const { visit, site } = await pagesOf(world.api)
  await world.api.ctx.sql`update campaign set title = 'Clean water', slug = 'clean-water'`
  let donors = 0
  return {
    ...world,
    site,
    textOf: async (path: string) => (await visit(path)).html.replaceAll('\u00a0', ' '),
    credit: async (whole: number) => {
      const { chain } = world
      const units = BigInt(whole) * 1_000_000n
      const signed = await chain.send(await chain.signToken(++donors, ACCOUNT, units))
      const id = await world.record(signed, String(whole))
      await world.finish()
      return id
    },
    /** The first page reads its sums again only after this time. */
    pass: (seconds = 11) => world.clock.advance(1_000 * seconds),
  }
}

describe.skipIf(!hasAnvil)('the first page', () => {
  test('names the newest donation only when its proof is ready, and sums all donations', async () => {
    const { textOf, credit, prove, pass } = await setUp()
    expect(await textOf('/')).toContain('Nothing proven yet')
    const id = await credit(45)
    pass()
    expect(await textOf('/')).toContain('1 donation to 1 campaign.')
    expect(await textOf('/')).not.toContain('name="newest"')
    await prove()
    pass()
    const html = await textOf('/')
    expect(html).toMatch(/<strong>45 USDC<\/strong> for <a href="\/c\/clean-water">Clean water</)
    expect(html).toContain(`<a href="/d/${id}">check it</a>`)
    const [, block] = /, proven in block (\d+) – /.exec(html) ?? []
    const [, final] = /These amounts are as of block (\d+), which is final/.exec(html) ?? []
    expect(Number(final)).toBeGreaterThanOrEqual(Number(block))
  })

  test('reads its sums at most every ten seconds, also for the visitors who stay', async () => {
    const { textOf, credit, prove, pass, site } = await setUp()
    await credit(45)
    await prove()
    const live = await readLive(site, '/home/live?lang=en')
    await live.shows('1 donation to 1 campaign')
    await credit(5)
    await prove()
    pass(9)
    expect(await textOf('/')).toContain('<strong>45 USDC</strong>')
    pass(2)
    await live.shows('2 donations to 1 campaign')
    await live.shows('<strong>5\u00a0USDC</strong>')
    expect(await textOf('/')).toContain('<strong>5 USDC</strong>')
  })

  test('a donation has a picture of its own only with its proof, until then that of its campaign', async () => {
    const { credit, prove, site } = await setUp()
    const id = await credit(45)
    const draw = async (path: string) =>
      Buffer.from(await (await site.request(`${path}/share.png`)).arrayBuffer())
    const campaign = await draw('/c/clean-water')
    expect((await draw(`/d/${id}`)).equals(campaign)).toBe(true)
    await prove()
    expect((await draw(`/d/${id}`)).equals(campaign)).toBe(false)
    expect((await draw('/c/clean-water')).equals(campaign)).toBe(true)
  })

  test('leads to the heads of all ledgers that make up its total', async () => {
    const { textOf, credit, campaignId, api } = await setUp()
    await credit(45)
    await credit(5)
    expect(await textOf('/')).toContain('<a href="/total">Check the total</a>')
    const { body } = await api.ask('GET', `/api/campaigns/${campaignId}/ledger/head`)
    const html = await textOf('/total')
    expect(html).toContain('<a href="/c/clean-water/ledger">Clean water</a>')
    expect(html).toContain(
      `title="${(body.head as { head: string } | undefined)?.head ?? body.head}"`,
    )
    expect(html).toContain(`href="/api/campaigns/${campaignId}/ledger/head"`)
    expect(html).toContain('<span class="money">50 USDC</span>')
    expect(html).toContain('Sealed entries: 2')
  })
})
