import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { describe, expect, test } from 'vitest'
import { DONATION_REASONS, type DonationView } from '../../../../src/domain/donations/index.ts'
import { DonationPage } from '../../../../src/pages/donation/donation-view.tsx'
import type { Tracked } from '../../../../src/pages/donation/load-donation.ts'
import { ReceiptView } from '../../../../src/pages/donation/receipt-view.tsx'
import { STEP_KEYS } from '../../../../src/pages/donation/tracker.ts'
import { formatMoney, shorten } from '../../../../src/pages/shared/format.ts'
import { LANGUAGES, type Language } from '../../../../src/pages/shared/languages.ts'
import { campaignTexts } from '../../../../src/pages/texts/campaign/index.ts'
import { checkTexts } from '../../../../src/pages/texts/check/index.ts'
import { donationTexts } from '../../../../src/pages/texts/donation/index.ts'
import { expectTexts } from '../support/expect-texts.ts'
import { textOf } from '../support/text-of.ts'
import { donations, donationWith, HASH, proofWith, trackedOf } from './support/tracked.ts'

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

type More = Partial<Tracked> & Partial<Pick<Parameters<typeof DonationPage>[0], 'guest' | 'ready'>>

const pageIn = (
  lang: Language,
  donation: DonationView,
  { guest = null, ready = null, ...more }: More = {},
): string => {
  const tracked = trackedOf(donation, more)
  const props = { tracked, lang, check: check(lang), payment: null, guest, ready }
  const text = textOf(renderToString(h(DonationPage, props)))
  expect(text).not.toMatch(/undefined|null|\[object|NaN/)
  return text
}

const receiptIn = (lang: Language, donation: DonationView, more: Partial<Tracked> = {}): string =>
  textOf(
    renderToString(
      h(ReceiptView, {
        tracked: trackedOf(donation, more),
        lang,
        address: 'https://fundproof.example/d/1',
      }),
    ),
  )

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
    const converted = {
      ...donations.completed(),
      price: '3000.5',
      priceSource: [{ pair: 'ETH/USD', price: '3000.5', inverse: false, method: 'fixed' as const }],
      refund: 'on_chain' as const,
    }
    const text = pageIn(lang, converted)
    expectTexts(text, t.facts.priceFixed, t.notes.onChain)
    const back = (status: 'refunded' | 'partly_refunded') =>
      pageIn(lang, { ...converted, status, refund: 'by_verifiers', refundedAmount: usdc('25') })
    expect(back('refunded')).toContain(t.paidBack(formatMoney(lang, usdc('25'))))
    expect(back('partly_refunded')).toContain(t.partlyPaidBack(formatMoney(lang, usdc('25'))))
    expectTexts(back('refunded'), t.notes.byVerifiers, campaignTexts[lang].refunded)
    const worthless = { ...donations.completed(), creditedAmount: usdc('0') }
    expect(pageIn(lang, worthless)).toContain(t.worthless)
  })

  test('says what became of a refund, who gets it and which transactions paid it', () => {
    const completed = donations.completed()
    const refundIn = (refund: Tracked['refund']) => pageIn(lang, completed, { refund })
    const unsigned = refundIn({ ...refund, state: 'unsigned', receiver: null, transactions: [] })
    expect(unsigned).toContain(t.refund.unsigned('2'))
    expect(unsigned).not.toContain(t.refund.to)
    for (const state of ['ready', 'sent', 'done'] as const) {
      const text = refundIn({ ...refund, state })
      expectTexts(text, t.refund[state], shorten(refund.receiver), shorten(REFUND_HASH))
      expect(text.includes(t.refund.show)).toBe(state === 'ready')
    }
  })

  test('shows the words of the donor, and the way for guests', () => {
    const donor = { name: null, message: 'Good luck & <b>water</b>', hidden: true }
    const text = pageIn(lang, donationWith({ donor }), { guest: 'sign_in' })
    expectTexts(text, donor.message, t.facts.anonymous, t.facts.hidden, t.guest.signIn)
    expect(pageIn(lang, donationWith(), { guest: 'claim' })).toContain(t.guest.claim)
  })

  test('has a receipt only for a credit, and a mark before it', () => {
    const credited = receiptIn(lang, donations.completed(), { proof: proofWith(HASH) })
    expectTexts(credited, t.receipt.statement, t.receipt.scan, t.receipt.print, HASH)
    expect(credited).not.toContain(t.receipt.notYet)
    const before = receiptIn(lang, donations.confirming())
    expect(before).toContain(t.receipt.notYetText)
    expect(before).not.toContain(t.receipt.statement)
    expect(receiptIn(lang, donations.recorded())).toContain(t.receipt.noneText)
  })
})

const REFUND_HASH = `0x${'ef'.repeat(32)}`
const refund = {
  escrow: { terms: { quorum: 2 } } as Extract<Tracked['refund'], object>['escrow'],
  refund: 'on_chain' as const,
  receiver: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  asset: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  amount: null,
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
