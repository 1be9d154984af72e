import { renderToString } from 'preact-render-to-string'
import { describe, expect, test } from 'vitest'
import type { ProvenTotal } from '../../../../src/domain/books/index.ts'
import { EmbedCard } from '../../../../src/pages/embed/routes.tsx'
import { HomeView, provenParts } from '../../../../src/pages/home/home-view.tsx'
import type { ListedCampaign } from '../../../../src/pages/home/load-home.ts'
import { LANGUAGES } from '../../../../src/pages/shared/languages.ts'
import { campaignTexts } from '../../../../src/pages/texts/campaign/index.ts'
import { escrowTexts } from '../../../../src/pages/texts/escrow/index.ts'
import { homeTexts } from '../../../../src/pages/texts/home/index.ts'
import { madeCampaign, NOW } from '../campaign/support/made-up.ts'
import { expectTexts } from '../support/expect-texts.ts'
import { inWords } from '../support/in-words.ts'

type Props = Parameters<typeof HomeView>[0]

const made = ({ escrow = null, ...changes }: Partial<ListedCampaign> = {}): ListedCampaign => {
  const { escrow: _, ...campaign } = madeCampaign()
  return { ...campaign, refunded: '0', escrow, ...changes }
}

const listOf = (...campaigns: ListedCampaign[]) => ({ campaigns, nextCursor: null })

const TOTAL: ProvenTotal = {
  proven: { value: '21260', currency: 'USDC' },
  paidBack: { value: '350', currency: 'USDC' },
  donations: 77,
  campaigns: 5,
}

const NEWEST = {
  donationId: 'd1',
  amount: { value: '45', currency: 'USDC' },
  campaign: { slug: 'clean-water-for-bako', title: 'Clean water for Bako' },
  blockNumber: 24_318_207,
  minedAt: new Date(NOW.getTime() - 120_000),
}

const propsOf = (changes: Partial<Props> = {}): Props => ({
  open: listOf(made()),
  ended: listOf(),
  search: { q: '', category: '', status: '' },
  kept: new URLSearchParams(),
  isFront: true,
  proven: { totals: [TOTAL], newest: NEWEST },
  block: 24_318_217,
  now: NOW,
  lang: 'en',
  ...changes,
})

const htmlOf = (changes: Partial<Props>) => renderToString(<HomeView {...propsOf(changes)} />)

describe.each(LANGUAGES)('the first page in %s', (lang) => {
  const t = homeTexts[lang]
  const wordsOf = (changes: Partial<Props> = {}) =>
    inWords(<HomeView {...propsOf(changes)} lang={lang} />)

  test('says what is proven, what of it was paid back, and which donation is the newest', () => {
    const words = wordsOf()
    expect(words).toContain(t.what)
    expect(words).toMatch(/21[.,\s]?260 USDC/)
    expect(words).toContain(t.totalOf(77, 5))
    expect(words).toContain(t.paidBackOfIt('350 USDC'))
    expect(words).toMatch(/45 USDC .*Clean water for Bako.*24[.,\s]?318[.,\s]?207/)
    expect(words).not.toMatch(/[{}]/)
    expect(t.totalOf(1, 1)).not.toBe(t.totalOf(2, 2).replaceAll('2', '1'))
  })

  test('says of an open campaign how far it is and where the money goes', () => {
    const words = wordsOf()
    expect(words).toContain('Amina K. Bako')
    expect(words).toMatch(/745[.,]50 .* 1[.,\s]?000 USDC 14 \p{L}+/u)
    expectTexts(words, t.toCreator, escrowTexts[lang].straight)
    const funded = made({ status: 'funded', escrow: { deadline: new Date(NOW.getTime() + 1) } })
    const held = wordsOf({ open: listOf(funded) })
    expect(held).toContain(t.toEscrow({ paid: 0, all: 1 }))
    const milestones = [{ id: 'm1', status: 'released' as const }, funded.milestones[0]]
    const part = wordsOf({
      open: listOf({ ...funded, milestones: milestones.flatMap((one) => one ?? []) }),
    })
    expect(part).toContain(t.toEscrow({ paid: 1, all: 2 }))
    expect(held).toContain(escrowTexts[lang].audit)
    expect(held).toContain(campaignTexts[lang].status.funded)
  })

  test('says of a campaign that has ended what became of its money', () => {
    const outcome = (changes: Partial<ListedCampaign>) =>
      wordsOf({ ended: listOf(made({ status: 'failed', currentAmount: '120', ...changes })) })
    const milestones = [{ id: 'm1', status: 'released' as const }]
    const escrow = { deadline: NOW }
    expect(outcome({ donations: 0 })).toContain(t.outcome.noDonations)
    expect(outcome({ status: 'cancelled' })).toContain(t.outcome.toCreator('120 USDC'))
    expect(outcome({ status: 'completed', milestones })).toContain(t.outcome.verified('120 USDC'))
    expect(outcome({ escrow })).toContain(t.outcome.raised('120 USDC'))
    const part = t.outcome.paidBack('150 USDC', '30 USDC')
    expect(outcome({ escrow, refunded: '30' })).toContain(part)
    const all = { escrow, currentAmount: '0', refunded: '350' }
    expect(outcome(all)).toContain(t.outcome.allPaidBack('350 USDC'))
    expect(outcome(all)).toContain(campaignTexts[lang].status.failed)
  })

  test('says if there is no campaign, none that is open, or none that fits', () => {
    expect(wordsOf({ open: listOf() })).toContain(`${t.none} ${t.create}`)
    const ended = listOf(made({ status: 'completed' }))
    expect(wordsOf({ open: listOf(), ended })).toContain(t.noneOpen)
    const search = { q: 'roof', category: '', status: '' }
    const words = wordsOf({ open: listOf(), search, isFront: false })
    expect(words).toContain(`${t.notFound} ${t.showAll}`)
  })

  test('has a card for other sites', () => {
    const card = renderToString(<EmbedCard campaign={madeCampaign()} lang={lang} />)
    expect(card).toMatch(/href="\/c\/clean-water-for-bako\/donate" target="_blank" rel="noopener"/)
    expect(card).toContain(campaignTexts[lang].donate)
    const ended = <EmbedCard campaign={madeCampaign({ status: 'cancelled' })} lang={lang} />
    expect(inWords(ended)).toContain(campaignTexts[lang].status.cancelled)
    expect(renderToString(ended)).not.toContain('/donate')
  })
})

test('says that nothing is proven, without a line about the newest proof', () => {
  const html = htmlOf({ proven: { totals: [], newest: null } })
  expect(html).toContain('Nothing proven yet')
  expect(html).not.toContain('/total')
  expect(html).not.toContain('role="status"')
})

test('gives each currency a line of its own, and never adds two currencies', () => {
  const paidBack = { value: '0', currency: 'EUR' }
  const euros = { ...TOTAL, proven: { value: '12', currency: 'EUR' }, paidBack }
  const words = inWords(provenParts({ totals: [TOTAL, euros], newest: null }, NOW, 'en').total)
  expect(words).toContain('21,260 USDC 77 donations to 5 campaigns; 350 USDC of it were refunded.')
  expect(words).toContain('12 EUR 77 donations to 5 campaigns. Check the total')
})

test('announces the newest proof by itself, and keeps it up to date with the total', () => {
  const html = htmlOf({})
  const [, spoken = ''] = /<div role="status">(.*?)<\/div>/.exec(html) ?? []
  expect(spoken).toMatch(/^<live-part src="\/home\/live\?lang=en" name="newest">.*<\/live-part>$/)
  expect(spoken).toContain('<a href="/d/d1">check it</a>')
  expect(spoken).not.toContain('minutes ago')
  expect(html).toMatch(/<live-part src="\/home\/live\?lang=en" name="ago"><time/)
  expect(html).toMatch(/<live-part src="\/home\/live\?lang=en" name="total">/)
})

test('shows filters only from eight campaigns on, or for a search', () => {
  const some = (count: number) =>
    listOf(...Array.from({ length: count }, (_, index) => made({ id: `c${index}` })))
  expect(htmlOf({ open: some(7) })).not.toContain('<form')
  expect(htmlOf({ open: some(8) })).toContain('<form class="filter"')
  expect(htmlOf({ open: some(7), ended: some(1) })).toContain('<form class="filter"')
  expect(htmlOf({ open: some(1), isFront: false })).toContain('<form class="filter"')
})

test('offers to give only to campaigns whose pages take payments', () => {
  const offered = 'href="/c/clean-water-for-bako/donate"'
  expect(htmlOf({})).toContain(`${offered} aria-label="Donate to Clean water for Bako"`)
  const over = made({ escrow: { deadline: new Date(NOW.getTime() - 1) } })
  expect(htmlOf({ open: listOf(over) })).not.toContain(offered)
  const ended = listOf(made({ status: 'completed' }))
  expect(htmlOf({ open: listOf(), ended })).not.toContain(offered)
})

test('loads covers late below the first row, each at a fixed ratio and without words', () => {
  const cover = { url: 'https://x.example/api/campaigns/1/cover', type: 'image/png' as const }
  const campaigns = [
    made({ id: 'a', cover: { ...cover, width: 10, height: 10 } }),
    ...['b', 'c', 'd'].map((id) => made({ id })),
  ]
  const html = htmlOf({ open: listOf(...campaigns), ended: listOf(made({ status: 'failed' })) })
  const covers = [...html.matchAll(/<img class="pic" src="([^"]+)"([^>]*)>/g)]
  expect(covers.map(([, src]) => src)).toEqual([
    '/api/campaigns/1/cover',
    '/patterns/green/b',
    '/patterns/green/c',
    '/patterns/green/d',
    '/patterns/grey/01a20600-0000-7000-8000-000000000001',
  ])
  for (const [index, [, , rest = '']] of covers.entries()) {
    expect(rest).toContain('width="1600" height="900" alt')
    expect(rest.includes('loading="lazy"')).toBe(index >= 3)
  }
})
