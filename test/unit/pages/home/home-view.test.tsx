import { renderToString } from 'preact-render-to-string'
import { describe, expect, test } from 'vitest'
import { EmbedCard } from '../../../../src/pages/embed/routes.tsx'
import { HomeView, SHOWN_STATUSES } from '../../../../src/pages/home/routes.tsx'
import { LANGUAGES } from '../../../../src/pages/shared/languages.ts'
import { campaignTexts } from '../../../../src/pages/texts/campaign/index.ts'
import { homeTexts } from '../../../../src/pages/texts/home/index.ts'
import { madeCampaign } from '../campaign/support/made-up.ts'
import { inWords } from '../support/in-words.ts'

type Props = Parameters<typeof HomeView>[0]

const propsOf = (changes: Partial<Props>): Props => ({
  campaigns: [madeCampaign()],
  search: { q: '', category: '', status: undefined },
  categories: ['water'],
  position: { path: '/', query: new URLSearchParams(), nextCursor: null },
  lang: 'en',
  ...changes,
})

describe.each(LANGUAGES)('the first page in %s', (lang) => {
  const t = homeTexts[lang]
  const wordsOf = (changes: Partial<Props>) =>
    inWords(<HomeView {...propsOf(changes)} lang={lang} />)

  test('says what the service is, and lists campaigns with their progress', () => {
    const words = wordsOf({})
    expect(words).toContain(`${t.what} ${t.how}`)
    expect(words).toContain('Clean water for Bako')
    expect(words).toMatch(/745[.,]50 USDC .* 1[.,\s]?000 USDC 14 \p{L}+/u)
    const one = wordsOf({ campaigns: [madeCampaign({ donations: 1 })] })
    expect(one).toContain(t.donations(1))
    expect(t.donations(1)).not.toContain(t.donations(2).replace('2 ', ''))
  })

  test('names the state of campaigns that are not just open', () => {
    for (const status of SHOWN_STATUSES) {
      const html = renderToString(
        <HomeView {...propsOf({ campaigns: [madeCampaign({ status })] })} lang={lang} />,
      )
      const chip = `<span>${campaignTexts[lang].status[status]}</span>`
      expect(html.includes(chip)).toBe(status !== 'active')
    }
  })

  test('says if there is no campaign, or none that fits', () => {
    expect(wordsOf({ campaigns: [] })).toContain(`${t.none} ${t.create}`)
    const search = { q: 'roof', category: '', status: undefined }
    expect(wordsOf({ campaigns: [], search })).toContain(`${t.notFound} ${t.showAll}`)
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
