import { renderToString } from 'preact-render-to-string'
import { describe, expect, test } from 'vitest'
import type { EscrowFigures } from '../../../../src/domain/campaigns/index.ts'
import { DONATION_STATUSES } from '../../../../src/kernel/statuses.ts'
import { CampaignView } from '../../../../src/pages/campaign/campaign-view.tsx'
import { formatDay, formatMoment, formatRelative } from '../../../../src/pages/shared/format.ts'
import { LANGUAGES } from '../../../../src/pages/shared/languages.ts'
import { campaignTexts } from '../../../../src/pages/texts/campaign/index.ts'
import { donateTexts } from '../../../../src/pages/texts/donate/index.ts'
import { escrowTexts } from '../../../../src/pages/texts/escrow/index.ts'
import { expectTexts } from '../support/expect-texts.ts'
import { inWords } from '../support/in-words.ts'
import {
  madeCampaign,
  madeDonation,
  madeEscrow,
  madeMilestone,
  madeUpdate,
  NOW,
} from './support/made-up.ts'

type Props = Parameters<typeof CampaignView>[0]

const CHAIN = {
  id: 1,
  name: 'Ethereum',
  rpc: [],
  explorer: 'https://etherscan.example',
  testnet: false,
  pollIntervalMs: 4_000,
  stalledAfterMs: null,
}

const CREATOR: Props['creator'] = {
  name: 'Bako Water Committee',
  since: new Date('2026-03-03T09:00:00Z'),
  account: '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720',
  provenAt: null,
  earlier: [],
}

const propsOf = (changes: Partial<Props>): Props => ({
  campaign: madeCampaign(),
  waiting: [],
  escrow: null,
  booked: { block: 7, minedAt: NOW },
  creator: CREATOR,
  address: 'https://fundproof.example/c/clean-water-for-bako',
  trouble: null,
  donations: [],
  now: NOW,
  chain: CHAIN,
  updates: [],
  evidence: [],
  impact: [],
  lang: 'en',
  ...changes,
})

const wordsOf = (changes: Partial<Props>): string => inWords(<CampaignView {...propsOf(changes)} />)
const htmlOf = (changes: Partial<Props>): string =>
  renderToString(<CampaignView {...propsOf(changes)} />)

const at14 = new Date(NOW.getTime() - 14 * 60_000)

const escrowed = (status: Props['campaign']['status']) =>
  madeCampaign({ status, escrow: { ...madeEscrow(), deployment: null as never } })

describe.each(LANGUAGES)('the page of a campaign in %s', (lang) => {
  const t = campaignTexts[lang]

  test('says what concerns the whole campaign', () => {
    const noticed = (changes: Partial<Props>) => wordsOf({ ...changes, lang })
    for (const status of ['draft', 'funded', 'completed', 'cancelled'] as const) {
      expect(noticed({ campaign: madeCampaign({ status }) })).toContain(t.notices[status].text)
    }
    expect(noticed({ campaign: madeCampaign({ accountProven: false }) })).toContain(
      t.notices.unproven.text,
    )
    expect(noticed({ trouble: { kind: 'halted' } })).toContain(t.notices.halted.text)
    expect(noticed({ trouble: { kind: 'stalled', since: NOW } })).toMatch(/UTC.*\./)
    const calm = noticed({})
    for (const notice of Object.values(t.notices)) {
      if (typeof notice !== 'function') expect(calm).not.toContain(notice.title)
    }
  })

  test('shows the state of each milestone', () => {
    const released = new Date('2026-11-03T00:00:00Z')
    for (const status of ['reached', 'verified', 'released', 'rejected'] as const) {
      const milestones = [madeMilestone({ status, releasedAt: released })]
      const words = wordsOf({ campaign: madeCampaign({ milestones }), lang })
      expectTexts(words, t.milestoneStates[status], '2026')
    }
    const second = madeMilestone({ title: null, cumulativeAmount: '1000' })
    const words = wordsOf({ campaign: madeCampaign({ milestones: [second] }), lang })
    expect(words).toContain(t.milestone(1))
    expect(words).toMatch(/254[.,]50 USDC/)
  })

  test('shows the state of each donation, with a link to it', () => {
    const donations = DONATION_STATUSES.map((status) => madeDonation(status))
    const html = htmlOf({ donations, lang })
    for (const status of DONATION_STATUSES) {
      const word = t.donationStates[status]
      expectTexts(html, `href="/d/donation-${status}"`, `<span>${word}</span>`)
    }
    const counting = {
      reason: 'waiting_for_finality',
      blockNumber: 7,
      nextCheckAt: null,
      required: 3,
    }
    const confirming = madeDonation('confirming', {
      confirmation: { ...counting, confirmations: 2 },
    })
    expect(wordsOf({ donations: [confirming], lang })).toContain(t.confirming('2', '3'))
    expect(wordsOf({ donations: [], lang })).toContain(t.noDonations)
  })

  test('shows what verifiers have signed for a milestone, and names only who wants it', () => {
    const signer = { address: '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955', signature: '0xabcd' }
    const evidenceHash = `0x${'9d'.repeat(32)}`
    const links = [{ type: 'photo', url: 'https://example.org/a.jpg', timestamp: '2026-05-01' }]
    const signed = { milestoneId: 'm1', evidence: links, evidenceHash, txHash: null }
    const html = htmlOf({ evidence: [{ ...signed, signers: [{ ...signer, name: '<b>' }] }], lang })
    expectTexts(html, 'href="https://example.org/a.jpg"', 'photo (example.org)', '&lt;b>')
    expectTexts(html, t.fingerprintOf, `data-copy="${evidenceHash}"`, 'data-copy="0xabcd"')
    expect(html).toContain('href="/api/milestones/m1/verification"')
    const seven = Array.from({ length: 7 }, () => links).flat()
    const many = { ...signed, evidence: seven, signers: [] }
    expect(wordsOf({ evidence: [many], lang })).toContain('+ 2')
    const released = { ...signed, evidence: null, txHash: `0x${'ab'.repeat(32)}` }
    const bare = { ...signer, name: null, signature: null }
    const words = wordsOf({ evidence: [{ ...released, signers: [bare] }], lang })
    expectTexts(words, t.evidenceNotHere, t.unnamed, t.signedOnChain, t.paidBy)
    expect(wordsOf({ lang })).not.toContain(t.fingerprint)
  })

  test('shows impact reports with their numbers, and whether a verifier confirmed them', () => {
    const metric = { name: 'Litres', baseline: '0', current: '1234.5', target: '2000', unit: 'l' }
    const report = {
      ...{ id: 'i1', campaignId: 'c', reporterId: 'r', category: 'water', createdAt: NOW },
      metrics: [{ ...metric, verificationMethod: 'metered' }],
      beneficiaries: { direct: 900, indirect: null },
      ...{ status: 'reported' as const, verifierId: null, verifiedAt: null, evidence: [] },
    }
    const words = wordsOf({ impact: [report], lang })
    expectTexts(words, t.impact.title, t.impact.reported, 'metered', t.impact.direct, '900')
    expect(words).toMatch(/1.?234[.,]50? l/)
    expect(words).not.toContain(t.impact.indirect)
    const evidence = [{ type: 'photo', url: 'https://example.org/a.jpg', timestamp: '' }]
    const verified = { ...report, status: 'verified' as const, verifiedAt: NOW, evidence }
    expectTexts(wordsOf({ impact: [verified], lang }), t.impact.verified, 'photo (example.org)')
  })

  test('says how the money is held, and what waits for finality', () => {
    const plain = wordsOf({
      waiting: [
        { value: '25', currency: 'USDC' },
        { value: '0.1', currency: 'ETH' },
      ],
      lang,
    })
    expect(plain).toMatch(/25 USDC\b.*0[.,]10 ETH/)
    expectTexts(plain, t.ownAccount, t.account('Ethereum'), escrowTexts[lang].straight, t.planOnly)
    const held = wordsOf({ campaign: escrowed('active'), escrow: madeEscrow(), lang })
    expect(held).toContain(t.escrowAccount)
    expect(held.split(`${t.released} 400 USDC`).length).toBe(2)
    expect(held).toMatch(new RegExp(`${t.locked} 345[.,]50 USDC`))
    expectTexts(held, t.deadline, escrowTexts[lang].audit)
    expect(held).not.toContain(t.direct)
    expect(plain).toMatch(new RegExp(`${t.direct} 745[.,]50 USDC`))
    for (const word of [t.released, t.locked, escrowTexts[lang].audit]) {
      expect(plain).not.toContain(word)
    }
  })

  test('says of the creator what is proven, and what this service has not checked', () => {
    const { creator: c } = t
    const unproven = wordsOf({ lang })
    expectTexts(unproven, 'Bako Water Committee', c.unproven, '0xa0Ee…9720', c.unchecked)
    expect(unproven).not.toContain(c.proven)
    const earlier = { slug: 'a-deep-well', title: 'A deep well', milestones: 2, verified: 1 }
    const raised = { value: '20000', currency: 'USDC' }
    const provenAt = new Date('2026-03-04T09:00:00Z')
    const known = (status: 'completed' | 'failed') =>
      wordsOf({
        creator: { ...CREATOR, provenAt, earlier: [{ ...earlier, status, raised }] },
        lang,
      })
    expectTexts(known('completed'), c.proven, c.signed(formatDay(lang, provenAt)), c.unchecked)
    expectTexts(known('completed'), 'A deep well', t.status.completed)
    expect(known('completed')).toMatch(/20[.,\s]?000 USDC/)
    expect(known('failed')).toContain(`A deep well : ${t.status.failed}`)
    expect(known('failed')).not.toMatch(/20[.,\s]?000 USDC/)
  })

  test('names the block of all figures, with its age once it is older than five minutes', () => {
    const at = (minutes: number) =>
      wordsOf({ booked: { block: 7, minedAt: new Date(NOW.getTime() - minutes * 60_000) }, lang })
    const fresh = at(5)
    expect(fresh).toContain(
      `${t.asOf('7')} ${formatMoment(lang, new Date('2026-11-23T11:55:00Z'))}`,
    )
    expect(at(14)).toContain(`${t.asOf('7')} ${formatRelative(lang, at14, NOW)}`)
    expect(wordsOf({ booked: null, lang })).not.toContain(t.checkFigures)
  })

  test('speaks of a failed campaign as what it is: paid back, or still to be fetched', () => {
    const { ended, money, reasons } = escrowTexts[lang]
    const failed = (changes: Partial<EscrowFigures>) => {
      const escrow = madeEscrow({
        state: 'failed',
        reason: 'target_missed',
        released: '0',
        ...changes,
      })
      return wordsOf({ campaign: escrowed('failed'), escrow, lang })
    }
    const waiting = failed({ refunded: '120', balance: { value: '205', block: 7 } })
    expectTexts(waiting, ended.waiting.title, reasons.target_missed, '120 USDC')
    expect(waiting).toContain(money.unsigned('205 USDC'))
    expect(waiting).toContain(`120 USDC ${t.paidBackOf('325 USDC')}`)
    const paid = failed({ refunded: '350', balance: { value: '0', block: 7 } })
    expectTexts(paid, ended.everything, t.paidBackOf('350 USDC'), t.milestoneStates.missed)
    expect(paid).not.toContain(ended.waiting.title)
    expect(failed({ refunded: '0', balance: null })).toContain(ended.empty.title)
  })
})

test('offers to donate only while the campaign is open', () => {
  const hrefs = (status: Props['campaign']['status']) =>
    [...htmlOf({ campaign: madeCampaign({ status }) }).matchAll(/href="([^"]+\/donate)"/g)].length
  // One in the card, and one in the bar of phones.
  expect(hrefs('active')).toBe(2)
  expect(hrefs('funded')).toBe(2)
  for (const status of ['draft', 'completed', 'cancelled', 'failed'] as const) {
    expect(hrefs(status)).toBe(0)
  }
})

test('says of no completed campaign that milestones are released which are not', () => {
  const milestones = [madeMilestone({ status: 'reached' })]
  const words = wordsOf({ campaign: madeCampaign({ status: 'completed', milestones }) })
  expect(words).toContain('This campaign is completed.')
  expect(words).not.toContain('All milestones are released')
})

test('offers to donate to an escrow only while it records donors', () => {
  const { closed } = donateTexts.en
  const shown = (campaign: Partial<Props['campaign']>, now = NOW) => {
    const props = { campaign: { ...escrowed('funded'), ...campaign }, now }
    return { html: htmlOf(props), words: wordsOf(props) }
  }
  const { deadline } = madeEscrow()
  const open = shown({}, deadline)
  expect(open.html).toContain('/donate"')
  expect(open.words).toContain(campaignTexts.en.notices.funded.text)
  expect(open.html).not.toContain('data-copy="0x')
  const released = { milestones: [madeMilestone({ status: 'released' })] }
  for (const { html, words } of [shown({}, new Date(Number(deadline) + 1)), shown(released)]) {
    expect(html).not.toContain('/donate"')
    expect(words).toContain(`${closed.title} ${closed.escrow}`)
    expect(words).not.toContain(campaignTexts.en.notices.funded.text)
  }
  const plain = htmlOf({ campaign: madeCampaign(released) })
  expectTexts(plain, '/donate"', 'data-copy="0x')
})

test('shows texts of people as text, never as HTML, and links to other hosts without trust', () => {
  const html = htmlOf({
    updates: [madeUpdate({ content: '<script>1</script>', media: [MEDIA] })],
    donations: [madeDonation('completed', { donor: { ...DONOR, message: '<i>hi</i>' } })],
  })
  expect(html).not.toMatch(/<script|<b>|<i>/)
  expect(html).toContain('&lt;b>water&lt;/b>')
  const foreign = [...html.matchAll(/<a href="https:[^>]+>/g)].map(([link]) => link)
  expect(foreign.length).toBeGreaterThan(2)
  for (const link of foreign) expect(link).toContain('noreferrer')
})

const MEDIA = { type: 'image', url: 'https://example.org/well.jpg', caption: null }
const DONOR = { name: 'Lena B.', message: null, hidden: false }

test('keeps long texts and evidence of milestones out of the part that is sent again and again', () => {
  const description = `${'A long text. '.repeat(300)}The end.`
  const long = madeCampaign({ milestones: [madeMilestone({ description })] })
  const [live = '', rest = ''] = htmlOf({ campaign: long }).split('<details>')
  expect(live.length).toBeLessThan(8_000)
  expect(live).not.toContain('example.org')
  expectTexts(rest, 'The end.', 'href="https://example.org/report"')
  const short = madeCampaign({ milestones: [madeMilestone({ verificationDocs: [] })] })
  expect(wordsOf({ campaign: short })).not.toContain(campaignTexts.en.milestonesInFull)
})

test('draws the bar in two parts, exactly, also for amounts beyond the range of numbers', () => {
  const bar = (current: string, waiting: string, target: string) => {
    const html = htmlOf({
      campaign: madeCampaign({ currentAmount: current, targetAmount: target }),
      waiting: [{ value: waiting, currency: 'USDC' }],
    })
    const [card = ''] = html.split('class="give-bar"')
    return [...card.matchAll(/<rect class="progress-\w+"(?: x="(\d+)")? width="(\d+)"/g)].map(
      ([, x, width]) => [Number(x ?? 0), Number(width)],
    )
  }
  expect(bar('745.5', '25', '1000')).toEqual([
    [0, 745],
    [745, 25],
  ])
  expect(bar('1200', '25', '1000')).toEqual([
    [0, 1000],
    [1000, 0],
  ])
  expect(bar('12345678901234567890.5', '0', '24691357802469135781')).toEqual([
    [0, 500],
    [500, 0],
  ])
})

test('keeps its parts up to date by one stream, except for a draft', () => {
  const parts = [...htmlOf({}).matchAll(/<live-part src="([^"]+)" name="(\w+)"/g)]
  expect(parts.map(([, src, name]) => [src, name])).toEqual(
    ['notices', 'progress', 'milestones', 'donations', 'bar'].map((name) => [
      '/c/clean-water-for-bako/live?lang=en',
      name,
    ]),
  )
  expect(htmlOf({ campaign: madeCampaign({ status: 'draft' }) })).not.toContain('live-part')
})
