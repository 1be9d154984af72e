import { renderToString } from 'preact-render-to-string'
import { describe, expect, test } from 'vitest'
import type { CampaignView, DonorRefund } from '../../../src/domain/campaigns/index.ts'
import { DONATION_REASONS, type DonationView } from '../../../src/domain/donations/index.ts'
import { renderNotification } from '../../../src/domain/people/notification/render.ts'
import {
  CAMPAIGN_STATUSES,
  type CampaignStatus,
  DONATION_STATUSES,
  isCreditedStatus,
  MILESTONE_STATUSES,
  type MilestoneStatus,
} from '../../../src/kernel/statuses.ts'
import { MilestoneList } from '../../../src/pages/campaign/milestone-list.tsx'
import { EndedRow } from '../../../src/pages/home/campaign-card.tsx'
import { DonationChip } from '../../../src/pages/parts/donation-chip.tsx'
import { RefundFacts } from '../../../src/pages/parts/escrow-parts.tsx'
import { LANGUAGES, type Language } from '../../../src/pages/shared/languages.ts'
import { campaignTexts } from '../../../src/pages/texts/campaign/index.ts'
import {
  madeCampaign,
  madeDonation,
  madeEscrow,
  madeMilestone,
} from './campaign/support/made-up.ts'
import { docTable } from './support/doc-table.ts'
import { inWords } from './support/in-words.ts'

/** The words of a table of docs/pages.md in one language, by the first cell of their rows. */
const wordsOf = (table: string, lang: Language): Map<string, string> =>
  new Map(docTable(table, lang).map(({ key, word }) => [key, word]))

const REFUND: Omit<DonorRefund, 'state'> = {
  refund: 'on_chain',
  receiver: null,
  isElsewhere: false,
  asset: '0x',
  amount: null,
  money: null,
  transactions: [],
  call: null,
}

const deployment = { chainId: 1, to: '0x', data: '0x', value: '0' } as const

const because = (reason: string): DonationView['confirmation'] => ({
  reason,
  confirmations: 0,
  required: null,
  blockNumber: null,
  nextCheckAt: null,
})

/** A donation of each status for each reason, and those that only other fields tell apart. */
const donationsByRow = (words: ReadonlyMap<string, string>): [row: string, DonationView][] => [
  ...DONATION_STATUSES.flatMap((status) =>
    DONATION_REASONS.map((reason): [string, DonationView] => {
      const row = `\`${status}\`: \`${reason}\``
      const confirmation = isCreditedStatus(status) ? null : because(reason)
      return [words.has(row) ? row : `\`${status}\``, madeDonation(status, { confirmation })]
    }),
  ),
  ['`pending`, no payment', madeDonation('pending', { transaction: null })],
  ['`completed`, with proof', madeDonation('completed', { isProven: true })],
  [
    '`completed`, worth 0',
    madeDonation('completed', { creditedAmount: { value: '0', currency: 'USDC' } }),
  ],
  [
    '`failed`: `campaign_failed`, no payment',
    madeDonation('failed', { transaction: null, confirmation: because('campaign_failed') }),
  ],
]

describe.each(LANGUAGES)('docs/pages.md has in %s', (lang) => {
  const t = campaignTexts[lang]

  test('the word for a donation of every status, with every reason and with a proof', () => {
    const words = wordsOf('Donation', lang)
    const rows = donationsByRow(words)
    for (const [row, donation] of rows) {
      const shown = inWords(<DonationChip donation={donation} lang={lang} />)
      expect([row, shown]).toEqual([row, words.get(row)])
    }
    expect(new Set(rows.map(([row]) => row))).toEqual(new Set(words.keys()))
    expect(new Set(words.values())).toEqual(new Set(Object.values(t.donationStates)))
    expect(new Set(words.values()).size).toBe(Object.keys(t.donationStates).length)
  })

  test('the word for a campaign of every status', () => {
    const words = wordsOf('Campaign', lang)
    expect([...words.keys()]).toEqual(CAMPAIGN_STATUSES.map((status) => `\`${status}\``))
    for (const status of CAMPAIGN_STATUSES) {
      const campaign = { ...madeCampaign({ status }), refunded: '0', escrow: null }
      const home = renderToString(<EndedRow campaign={campaign} lang={lang} />)
      expect(home).toContain(`>${words.get(`\`${status}\``)}<`)
    }
  })

  test('the word for a milestone of every status', () => {
    const words = wordsOf('Milestone', lang)
    const ended = '`pending`, campaign ended'
    const unpaid = '`reached`, escrow ended'
    const rows = MILESTONE_STATUSES.map((status) => `\`${status}\``)
    expect([...words.keys()].toSorted()).toEqual([...rows, ended, unpaid].toSorted())
    const shownAs = (
      milestone: MilestoneStatus,
      status: CampaignStatus = 'active',
      more: Partial<CampaignView> = {},
    ) => {
      const milestones = [madeMilestone({ status: milestone, cumulativeAmount: '1000' })]
      const campaign = madeCampaign({ milestones, status, ...more })
      return inWords(<MilestoneList campaign={campaign} lang={lang} />)
    }
    for (const status of MILESTONE_STATUSES) {
      const word = words.get(`\`${status}\``) ?? 'no word'
      expect(shownAs(status).replace(/254[.,]50 USDC/, '…')).toContain(word)
    }
    const below = { escrow: { ...madeEscrow(), deployment } }
    expect(shownAs('reached', 'active', below)).not.toContain(words.get('`reached`'))
    expect(shownAs('reached', 'funded', below)).toContain(words.get('`reached`'))
    for (const status of ['completed', 'cancelled', 'failed'] as const) {
      expect(shownAs('pending', status)).toContain(words.get(ended))
      expect(shownAs('pending', status)).not.toContain('254')
      expect(shownAs('reached', status, below)).toContain(words.get(unpaid))
    }
  })

  test('the word for a refund in every state', () => {
    const words = wordsOf('Refund', lang)
    for (const state of ['unsigned', 'ready', 'sent', 'done'] as const) {
      const refund = { ...REFUND, state }
      const facts = <RefundFacts refund={refund} quorum={2} chain={undefined} lang={lang} />
      const shown = inWords(facts)
      expect(shown.startsWith(`${words.get(`\`${state}\``)} `)).toBe(true)
    }
    expect(words.size).toBe(4)
  })

  test('the words that notifications use for the same states', () => {
    const money = { amount: '25', currency: 'USDC', campaign: 'Wells', to: 'donor' } as const
    const titleOf = (reason: 'reorganised' | 'moved_to_wallet_owner') =>
      renderNotification('donation_reversed', lang, { ...money, reason }).title
    const { reversed, moved } = t.donationStates
    expect(titleOf('reorganised')).toContain(reversed.toLowerCase())
    expect(titleOf('moved_to_wallet_owner')).toContain(moved.toLowerCase())
    const milestone = { milestone: 'Survey', campaign: 'Wells' }
    const { title } = renderNotification('milestone_verified', lang, milestone)
    expect(title).toContain(t.milestoneStates.verified.toLowerCase())
  })
})
