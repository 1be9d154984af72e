import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { describe, expect, test } from 'vitest'
import {
  type DepositView,
  DONATION_REASONS,
  type DonationView,
} from '../../../../src/domain/donations/index.ts'
import { DonationPanel } from '../../../../src/pages/donation/donation-panel.tsx'
import { DonationPage } from '../../../../src/pages/donation/donation-view.tsx'
import type { Tracked } from '../../../../src/pages/donation/load-donation.ts'
import { ReceiptView } from '../../../../src/pages/donation/receipt-view.tsx'
import { STEP_KEYS } from '../../../../src/pages/donation/tracker.ts'
import {
  formatDay,
  formatMoment,
  formatMoney,
  shorten,
} from '../../../../src/pages/shared/format.ts'
import { LANGUAGES, type Language } from '../../../../src/pages/shared/languages.ts'
import { campaignTexts } from '../../../../src/pages/texts/campaign/index.ts'
import { checkTexts } from '../../../../src/pages/texts/check/index.ts'
import { donateTexts } from '../../../../src/pages/texts/donate/index.ts'
import { donationTexts } from '../../../../src/pages/texts/donation/index.ts'
import { expectTexts } from '../support/expect-texts.ts'
import { textOf } from '../support/text-of.ts'
import { donations, donationWith, HASH, NOW, proofWith, trackedOf } from './support/tracked.ts'

/** Donations that only wait for finality show another sentence, which the next tests check. */
const REASONS = DONATION_REASONS.filter((reason) => reason !== 'waiting_for_finality')

const usdc = (value: string) => ({ value, currency: 'USDC' })

const check = (lang: Language) => ({
  lang,
  texts: checkTexts[lang].island,
  siteKeys: [],
  assets: [],
  chains: [],
  mayAskLocal: false,
  donation: null,
})

type Page = Parameters<typeof DonationPage>[0]
type More = Partial<Tracked> & Partial<Pick<Page, 'guest' | 'ready' | 'offered' | 'wallet'>>

const pageIn = (
  lang: Language,
  donation: DonationView,
  { guest = null, ready = null, offered = [], wallet, ...more }: More = {},
): string => {
  const tracked = trackedOf(donation, more)
  const own = { payment: null, guest, ready, offered, wallet }
  const props = { tracked, lang, check: check(lang), ...own }
  const text = textOf(renderToString(h(DonationPage, props)))
  expect(text).not.toMatch(/undefined|null|\[object|NaN/)
  return text
}

const publicUrl = 'https://fundproof.example'

const receiptIn = (
  lang: Language,
  donation: DonationView,
  more: Partial<Tracked> = {},
  issuer: { receiptIssuer?: string } = {},
): string => {
  const tracked = trackedOf(donation, more)
  const props = { tracked, lang, settings: { publicUrl, ...issuer } }
  const text = textOf(renderToString(h(ReceiptView, props)))
  expect(text).not.toMatch(/undefined|null|\[object|NaN|[{}]/)
  return text
}

const NOTHING = { guest: null, ready: null, offered: [], wallet: undefined }

const htmlOf = (donation: DonationView, proof: Tracked['proof'] = proofWith(HASH)): string => {
  const tracked = trackedOf(donation, { proof })
  const props = { tracked, lang: 'en' as const, check: check('en'), payment: null }
  return renderToString(h(DonationPage, { ...props, ...NOTHING }))
}

describe.each(LANGUAGES)('the page of a donation in %s', (lang) => {
  const t = donationTexts[lang]

  test.each(REASONS)('says why and what next for %s', (reason) => {
    const { why, next } = t.reasons[reason]
    const text = pageIn(lang, donationBecause(reason))
    expectTexts(text, why, next)
  })

  test('shows all steps, and says the state of each in words', () => {
    const text = pageIn(lang, donations.confirming())
    for (const key of STEP_KEYS) expect(text).toContain(t.steps[key])
    expectTexts(text, t.marks.done, t.marks.now, t.marks.next)
    expect(pageIn(lang, donations.ended('expired', 'never_seen'))).toContain(t.marks.bad)
  })

  test('says the block and the minutes until it is final, and counts the blocks', () => {
    const text = pageIn(lang, donations.confirming())
    expect(text).toContain(t.confirming(new Intl.NumberFormat(lang).format(24_118_003), 12))
    expect(text).toContain(t.confirmations('4', '64'))
    expect(t.confirming('8', 1)).not.toContain('1')
    expect(t.confirming('8', null)).not.toContain('null')
  })

  test('thanks for a credit, and offers the check once it is sealed', () => {
    const completed = donations.completed()
    const sealing = pageIn(lang, completed)
    expectTexts(sealing, t.credited(formatMoney(lang, usdc('25'))), t.sealing)
    const proven = pageIn(lang, completed, { proof: proofWith(null) })
    expectTexts(proven, t.proven, checkTexts[lang].island.facts.unknownSender, 'the-key')
    expectTexts(proven, t.check.title, t.check.download, t.receipt.title, t.check.keep)
  })

  test('says what differs between the promise and the payment', () => {
    const said = (state: 'under' | 'over' | 'other_asset', arrived: DonationView['amount']) => {
      const text = pageIn(lang, donations.paid(state, arrived))
      const money = formatMoney(lang, arrived)
      expectTexts(text, t.notes[state](formatMoney(lang, usdc('25')), money), t.notes.late)
      expect(text).toContain(t.facts.arrived)
    }
    said('under', usdc('20'))
    said('over', usdc('30.5'))
    said('other_asset', { value: '0.01', currency: 'ETH' })
    const announced = { ...donations.completed(), confirmedAmount: usdc('24'), discrepancy: true }
    expect(pageIn(lang, announced)).toContain(
      t.notes.discrepancy(formatMoney(lang, usdc('25')), formatMoney(lang, usdc('24'))),
    )
  })

  test('shows a replaced transaction with both hashes', () => {
    const completed = donations.completed()
    const { transaction } = completed
    if (!transaction) throw new Error('A completed donation has a transaction.')
    const first = `0x${'cd'.repeat(32)}`
    const sped = { ...completed, transaction: { ...transaction, originalTxHash: first } }
    const text = pageIn(lang, sped)
    expectTexts(text, t.notes.replaced, t.facts.firstTransaction)
    const gone = donations.ended('failed', 'transaction_replaced')
    const replaced = { ...gone, transaction: { ...transaction, replacedBy: first } }
    expect(pageIn(lang, replaced)).toContain(t.facts.replacedBy)
  })

  test('shows prices, refunds, and who refunds if an escrow fails', () => {
    const eth = (value: string) => ({ value, currency: 'ETH' })
    const converted = {
      ...donations.completed(),
      confirmedAmount: eth('0.0083'),
      price: '3000.5',
      priceSource: [{ pair: 'ETH/USD', price: '3000.5', inverse: false, method: 'fixed' as const }],
      refund: 'on_chain' as const,
    }
    const text = pageIn(lang, converted)
    const price = formatMoney(lang, usdc('3000.5'))
    const rate = t.facts.rate({ one: formatMoney(lang, eth('1')), price, isFixed: true })
    expectTexts(text, rate, t.notes.onChain)
    const back = (status: 'refunded' | 'partly_refunded') =>
      pageIn(lang, { ...converted, status, refund: 'by_verifiers', refundedAmount: usdc('25') })
    expect(back('refunded')).toContain(t.paidBack(formatMoney(lang, usdc('25'))))
    expect(back('partly_refunded')).toContain(t.partlyPaidBack(formatMoney(lang, usdc('25'))))
    expectTexts(back('refunded'), t.notes.byVerifiers, campaignTexts[lang].refunded)
    const paid = { ...converted, status: 'refunded' as const, refundedAmount: usdc('25') }
    const more = { refund: { ...refund, state: 'done' as const, isElsewhere: true } }
    const elsewhere = t.paidElsewhere(formatMoney(lang, usdc('25')), shorten(refund.receiver))
    expect(pageIn(lang, paid, more)).toContain(elsewhere)
    expect(pageIn(lang, paid, more)).not.toContain(t.paidBack(formatMoney(lang, usdc('25'))))
    expect(receiptIn(lang, paid, more)).toContain(elsewhere)
    const worthless = { ...donations.completed(), creditedAmount: usdc('0') }
    expect(pageIn(lang, worthless)).toContain(t.worthless)
  })

  test('says what became of a refund, its amount, who gets it and which transactions paid it', () => {
    const completed = donations.completed()
    const refundIn = (refund: Tracked['refund']) => pageIn(lang, completed, { refund })
    const unsigned = refundIn({ ...refund, state: 'unsigned', receiver: null, transactions: [] })
    expect(unsigned).toContain(t.refund.unsigned('2'))
    expect(unsigned).not.toContain(t.refund.to)
    for (const state of ['ready', 'sent', 'done'] as const) {
      const text = refundIn({ ...refund, state })
      expectTexts(text, t.refund[state], shorten(refund.receiver), shorten(REFUND_HASH))
      expect(text).toContain('12\u00a0USDC')
      expect(text.includes(t.refund.show)).toBe(state === 'ready')
      // A donor who can act sees first what to do.
      const [collect, panel] = [t.refund.collect('12\u00a0USDC'), t.credited('25\u00a0USDC')]
      if (state === 'ready') expect(text.indexOf(panel)).toBeGreaterThan(text.indexOf(collect))
      expect(text.includes(collect)).toBe(state === 'ready')
    }
  })

  test('shows the words of the donor, and the way for guests', () => {
    const donor = { name: null, message: 'Good luck & <b>water</b>', hidden: true }
    const text = pageIn(lang, donationWith({ donor }), { guest: 'sign_in' })
    expectTexts(text, donor.message, t.facts.anonymous, t.facts.hidden, t.guest.signIn)
    expect(pageIn(lang, donationWith(), { guest: 'claim' })).toContain(t.guest.claim)
  })

  test('says what became of the transaction that a donor has named for a promise', () => {
    const { named, reasons, closed } = t
    const pageWith = (payments: Partial<DepositView>[], more: More = {}) =>
      pageIn(lang, donations.sent(), { named: payments.map(paymentWith), ...more })
    const unknown = pageWith([])
    expectTexts(unknown, named.none.why, named.none.next)
    expect(unknown).not.toContain(reasons.waiting_for_transaction.why)
    expectTexts(pageWith([{}]), named.found.why, named.found.next, named.show)
    expect(pageWith([{ beforeCampaign: true }])).toContain(reasons.transfer_before_campaign.why)
    const claimedBy = donations.completed().id
    const claimed = pageWith([{ claimedBy }])
    expectTexts(claimed, reasons.transfer_already_claimed.why, donateTexts[lang].paid.seeDonation)
    const replaced = { ...donations.sent(), ...donations.ended('failed', 'cancelled') }
    const { payment } = donations.sent()
    const moved = { ...replaced, payment, transaction: null }
    expect(pageIn(lang, moved, { named: [paymentWith({ claimedBy })] })).toContain(
      donateTexts[lang].paid.seeDonation,
    )
    const { campaign } = trackedOf(donations.sent())
    const over = pageWith([], { campaign: { ...campaign, status: 'cancelled' } })
    expect(over).toContain(closed)
  })

  test('offers the donor a payment of another wallet, and a second payment', () => {
    const { offered: words } = donateTexts[lang]
    const money = formatMoney(lang, usdc('21'))
    const block = new Intl.NumberFormat(lang).format(24_118_009)
    const offered = [paymentWith({})]
    const other = pageIn(lang, donations.sent(), { offered, wallet: PAYER })
    const from = { money, sender: shorten(SENDER), block }
    expectTexts(other, words.found, words.from(from), words.named(shorten(PAYER)))
    expectTexts(other, words.onlyYours, words.take, words.see)
    const own = pageIn(lang, donations.sent(), { offered, wallet: SENDER })
    expect(own).not.toContain(words.named(shorten(SENDER)))
    const second = pageIn(lang, donations.completed(), { offered, wallet: SENDER })
    expectTexts(second, words.second(money), words.sameWallet(block), words.onlyYours, words.add)
    expect(second).not.toContain(words.take)
  })

  test('has a receipt only for a credit, and a mark before it', () => {
    const credited = receiptIn(lang, donations.completed(), { proof: proofWith(HASH) })
    expectTexts(credited, t.receipt.statement, t.receipt.print, HASH, t.receipt.noPrice)
    expectTexts(credited, t.receipt.compare, t.receipt.how, t.receipt.direct, t.facts.anonymous)
    expect(credited).not.toContain(t.receipt.notYet)
    const before = receiptIn(lang, donations.confirming())
    expect(before).toContain(t.receipt.notYetText)
    expect(before).not.toContain(t.receipt.statement)
    expect(receiptIn(lang, donations.recorded())).toContain(t.receipt.noneText)
    const worthless = { ...donations.completed(), creditedAmount: usdc('0') }
    expectTexts(receiptIn(lang, worthless), t.receipt.none, t.worthless)
  })

  test('names the issuer, the payee and the donor on the receipt', () => {
    const { campaign } = trackedOf(donations.completed())
    const donation = donationNamed('Jonas')
    const paper = (creatorName: string | null, issuer = {}) =>
      receiptIn(
        lang,
        donation,
        { campaign: { ...campaign, creatorName, accountProven: true }, proof: proofWith(HASH) },
        issuer,
      )
    const known = paper('Bako Water Committee', { receiptIssuer: 'Give Foundation, Bern' })
    expectTexts(known, t.receipt.issuedBy('Give Foundation, Bern'))
    expectTexts(known, t.receipt.unchecked)
    expectTexts(known, t.receipt.issued(formatMoment(lang, new Date('2026-11-23T12:01:00Z'))))
    expectTexts(known, 'Bako Water Committee', t.receipt.isProven, 'Jonas', t.receipt.asWritten)
    const bare = paper(null)
    expectTexts(bare, t.receipt.issuedBy(t.receipt.operatorOf('fundproof.example')))
    expectTexts(bare, campaign.title)
  })

  test('marks a refunded receipt as version 2, which replaces the first one', () => {
    const more = { refund: { ...refund, state: 'done' as const }, proof: proofWith(HASH) }
    const text = receiptIn(lang, donations.refunded(usdc('25')), more)
    expectTexts(text, t.done.refunded, t.receipt.noGift, REFUND_HASH, HASH)
    expectTexts(text, t.receipt.statementBack(formatMoney(lang, usdc('25'), 2)))
    expectTexts(text, t.receipt.second(formatDay(lang, NOW)), t.receipt.compareBack)
    expect(text).not.toContain(t.receipt.statement)
    const part = receiptIn(lang, donations.refunded(usdc('10')), more)
    expectTexts(part, t.done.partly('10', formatMoney(lang, usdc('25'))))
    expectTexts(part, formatMoney(lang, usdc('15'), 2))
    expect(part).not.toContain(t.receipt.noGift)
  })

  test('says in large letters where a donation is, and that it is proven only with a proof', () => {
    const { onItsWay, credited, proven, refunded, partly } = t.done
    const wordOf = (donation: DonationView, proof: Tracked['proof'] = null) =>
      / panel-.*?<\/svg><\/span>(.*?)<\/p>/.exec(
        renderToString(h(DonationPanel, { tracked: trackedOf(donation, { proof }), lang })),
      )?.[1]
    const proof = proofWith(HASH)
    expect(wordOf(donations.promise())).toBeUndefined()
    expect(wordOf(donations.confirming())).toBe(onItsWay)
    expect(wordOf(donations.completed())).toBe(credited)
    expect(wordOf(donations.completed(), proof)).toBe(proven)
    expect(wordOf(donations.refunded(usdc('25')), proof)).toBe(refunded)
    expect(wordOf(donations.refunded(usdc('10')), proof)).toBe(
      partly('10', formatMoney(lang, usdc('25'))),
    )
  })
})

test('strikes the amount that does not count any more, and says what counts now', () => {
  const refunded = htmlOf(donations.refunded(usdc('25')))
  expectTexts(refunded, '<h1><s>25\u00a0USDC</s> for Clean water for Bako</h1>', '0.00\u00a0USDC')
  const partly = htmlOf(donations.refunded(usdc('10')))
  expectTexts(partly, '<h1>25\u00a0USDC for Clean water for Bako</h1>', '15.00\u00a0USDC')
})

test('offers the receipt after the credit and the proof when there is one, and shares no wallet', () => {
  const offersOf = (html: string) =>
    ['/receipt"', '/proof"', 'data-share'].map((part) => html.includes(part))
  expect(offersOf(htmlOf(donations.confirming(), null))).toEqual([false, false, false])
  expect(offersOf(htmlOf(donations.completed(), null))).toEqual([true, false, true])
  const proven = htmlOf(donationNamed('Jonas'))
  expect(offersOf(proven)).toEqual([true, true, true])
  expect(proven).toContain('data-share="25\u00a0USDC for Clean water for Bako"')
})

test('opens the steps until the donation is proven', () => {
  expect(htmlOf(donations.completed(), null)).toContain('<details class="fold" open>')
  expect(htmlOf(donations.completed())).not.toContain('<details class="fold" open>')
})

test('says what the donation was worth at its block, and whose price it is', () => {
  const { receipt: t, facts } = donationTexts.en
  const proof = proofWith(HASH)
  const worth = { money: { value: '24.99', currency: 'USD' }, price: '0.9998' }
  expect(receiptIn('en', donations.completed(), { worth, proof })).toContain(
    '24.99\u00a0USD (1\u00a0USDC = 0.9998\u00a0USD, price set by this service)',
  )
  expect(receiptIn('en', donations.completed(), { proof })).toContain(t.noPrice)
  const source = { pair: 'ETH/USD', price: '3000.5', inverse: false, method: 'block' as const }
  const fed = { ...donations.completed(), price: '3000.5', priceSource: [source] }
  expect(receiptIn('en', fed, { proof })).toContain(
    facts.counted(
      '25\u00a0USDC (1\u00a0USDC = 3,000.50\u00a0USDC, price by Chainlink, at the block)',
    ),
  )
})

/** A credited donation of a person who wrote a name. */
const donationNamed = (name: string): DonationView => ({
  ...donations.completed(),
  donor: { name, message: null, hidden: false },
})

const PAYER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const SENDER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** A payment of 21 USDC in a block, without a donation. */
const paymentWith = (change: Partial<DepositView>): DepositView => ({
  id: '01900000-0000-7000-8000-00000000000f',
  campaignId: '01900000-0000-7000-8000-00000000000c',
  chainId: 1,
  txHash: HASH,
  logPosition: 0,
  sender: SENDER,
  account: PAYER,
  amount: usdc('21'),
  asset: 'eip155:1/erc20:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  blockNumber: 24_118_009,
  minedAt: NOW,
  final: false,
  claimedBy: null,
  beforeCampaign: false,
  ...change,
})

const REFUND_HASH = `0x${'ef'.repeat(32)}`
const refund = {
  escrow: { terms: { quorum: 2 } } as Extract<Tracked['refund'], object>['escrow'],
  refund: 'on_chain' as const,
  receiver: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  isElsewhere: false,
  asset: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  amount: null,
  money: { value: '12', currency: 'USDC' },
  transactions: [REFUND_HASH],
  call: null,
}

test('asks for no payment once the campaign takes none', () => {
  const { campaign } = trackedOf(donations.promise())
  for (const lang of LANGUAGES) {
    const { closed, reasons } = donationTexts[lang]
    const text = pageIn(lang, donations.promise(), {
      campaign: { ...campaign, status: 'cancelled' },
    })
    expect(text).toContain(closed)
    expect(text).not.toContain(reasons.waiting_for_payment.next)
  }
})

test('asks for no payment that an escrow would not record', () => {
  const { unrecorded, reasons } = donationTexts.en
  const { payment, ...promise } = donations.promise()
  const note = ''
  const transfer = { method: 'transfer' as const, refund: 'by_verifiers' as const, note, uri: '' }
  const sendCalls = {
    version: '2.0.0',
    chainId: '0x1',
    from: '0x',
    atomicRequired: false,
    calls: [],
  }
  const calls = { method: 'calls' as const, refund: 'on_chain' as const, note, sendCalls }
  const text = (methods: NonNullable<typeof payment>['methods']) =>
    pageIn('en', { ...promise, payment: payment && { ...payment, methods } })
  expect(text([transfer])).toContain(unrecorded)
  expect(text([calls as never, transfer])).toContain(reasons.waiting_for_payment.next)
})

/** Makes a donation that waits, or has ended, for this reason. */
const donationBecause = (reason: string): DonationView => {
  const confirmation = {
    reason,
    confirmations: 0,
    required: null,
    blockNumber: null,
    nextCheckAt: null,
  }
  if (reason === 'reorganised') return donations.ended('reversed', reason)
  if (['never_seen', 'payment_not_received', 'another_intent_paid'].includes(reason)) {
    return donations.ended('expired', reason)
  }
  if (/^price_|^sequencer_/.test(reason)) return { ...donations.confirming(), confirmation }
  if (reason === 'waiting_for_payment') return { ...donations.promise(), confirmation }
  return /^waiting_|^node_|_unproven$|_not_found$/.test(reason)
    ? donationWith({ confirmation })
    : donations.ended('failed', reason)
}
