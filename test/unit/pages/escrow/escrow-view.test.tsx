import { renderToString } from 'preact-render-to-string'
import { describe, expect, test } from 'vitest'
import {
  type DonorRefund,
  ESCROW_ACTIONS,
  type EscrowFigures,
  type ReadyTransaction,
} from '../../../../src/domain/campaigns/index.ts'
import { ESCROW_FAILURES } from '../../../../src/kernel/statuses.ts'
import { NOT_SENT, SendPanel } from '../../../../src/pages/components/send-panel.tsx'
import { EscrowView } from '../../../../src/pages/escrow/escrow-view.tsx'
import type { RefundSearch } from '../../../../src/pages/escrow/load-escrow.ts'
import { ReadyTransactionPart } from '../../../../src/pages/parts/escrow-parts.tsx'
import { formatDay } from '../../../../src/pages/shared/format.ts'
import { LANGUAGES } from '../../../../src/pages/shared/languages.ts'
import { campaignTexts } from '../../../../src/pages/texts/campaign/index.ts'
import { donateTexts } from '../../../../src/pages/texts/donate/index.ts'
import { donationTexts } from '../../../../src/pages/texts/donation/index.ts'
import { escrowTexts } from '../../../../src/pages/texts/escrow/index.ts'
import { madeCampaign, madeEscrow, madeMilestone, NOW } from '../campaign/support/made-up.ts'
import { expectTexts } from '../support/expect-texts.ts'
import { inWords } from '../support/in-words.ts'

type Props = Parameters<typeof EscrowView>[0]

const CHAIN = {
  id: 1,
  name: 'Ethereum',
  rpc: [],
  explorer: null,
  native: { symbol: 'ETH', decimals: 18 },
}

const READY: ReadyTransaction = {
  chainId: 1,
  to: madeEscrow().account,
  data: '0x0a',
  value: '0',
  sendCalls: {
    version: '2.0.0',
    chainId: '0x1',
    atomicRequired: false,
    calls: [{ to: madeEscrow().account, data: '0x0a', value: '0x0' }],
  },
  validUntil: null,
  simulated: { block: 7, ok: true, gas: 90_000 },
}

const FAILED = { ...madeEscrow({ state: 'failed', reason: 'cancelled' }), transactions: [] }

const REFUND: DonorRefund = {
  refund: 'on_chain',
  state: 'ready',
  receiver: madeEscrow().recipient,
  asset: madeEscrow().asset,
  isElsewhere: false,
  amount: null,
  money: { value: '5', currency: 'USDC' },
  transactions: [],
  call: { to: '0x', data: '0x', value: '0' },
}

const propsOf = (changes: Partial<Props>): Props => ({
  campaign: madeCampaign({ milestones: [madeMilestone({ status: 'verified' })] }),
  escrow: { ...madeEscrow(), transactions: [] },
  booked: { block: 7, minedAt: NOW },
  now: NOW,
  releases: [],
  search: null,
  chain: CHAIN,
  lang: 'en',
  ...changes,
})

const wordsOf = (changes: Partial<Props>): string => inWords(<EscrowView {...propsOf(changes)} />)

describe.each(LANGUAGES)('the page of an escrow in %s', (lang) => {
  const t = escrowTexts[lang]

  test('shows each state and each reason of a failure', () => {
    for (const state of ['funding', 'active', 'done'] as const) {
      const escrow = { ...madeEscrow({ state }), transactions: [] }
      expect(wordsOf({ escrow, lang })).toContain(t.states[state].text)
    }
    for (const reason of ESCROW_FAILURES) {
      const words = wordsOf({ escrow: { ...FAILED, reason }, lang })
      expect(words).toContain(`${t.ended.waiting.title} ${t.reasons[reason]}`)
    }
  })

  test('shows where all money is, in parts that add up, and asks for no share that is paid', () => {
    const asOf = campaignTexts[lang].asOf('7')
    const { ended, money } = t
    const words = (changes: Partial<EscrowFigures>) =>
      wordsOf({ escrow: { ...FAILED, released: '0', ...changes }, lang })
    const part = { refunded: '50', balance: { value: '100', block: 7 } }
    const waiting = words({ ...part, collectable: '30' })
    expectTexts(waiting, ended.waiting.title, ended.waiting.find, money.collect)
    const owed = `${money.collectable('30 USDC')} ${money.unsigned('70 USDC')}`
    expect(waiting.split(owed).length).toBe(3)
    expect(words({ ...part, collectable: '100' })).not.toContain(money.unsigned('0 USDC'))
    expect(words(part)).not.toContain(money.collectable('0 USDC'))
    expect(waiting).toContain(`${campaignTexts[lang].refunded} 50 USDC ${money.backSome}`)
    expectTexts(waiting, `0 + 50 + 100 = 150 USDC`, asOf)
    // 14 donations leave less than 14 units of the token.
    for (const value of ['0', '0.000014']) {
      const paid = words({ refunded: '150', balance: { value, block: 7 } })
      expect(paid).toContain(ended.everything)
      expect(paid).toContain(value === '0' ? money.owedNone : money.dust)
      expect(paid).not.toContain(ended.waiting.title)
      expect(paid).not.toContain(money.collect)
    }
    const collectable = { decimals: 2, balance: { value: '0.05', block: 7 }, collectable: '0.05' }
    expect(words(collectable)).not.toContain(ended.everything)
    const some = { decimals: 18, balance: { value: '0.000014', block: 7 } }
    expectTexts(words(some), ended.waiting.title, money.unsigned('0.000014 USDC').slice(8))
    expect(words({ ...part, released: '30', balance: null })).toContain(ended.everything)
    const empty = words({ balance: { value: '0', block: 7 } })
    expectTexts(empty, ended.empty.title, money.backNone)
    expect(empty).not.toContain(ended.waiting.title)
  })

  test('says what can happen next with each part of the money', () => {
    const words = (changes: Partial<EscrowFigures>, now = NOW) =>
      wordsOf({ escrow: { ...madeEscrow(changes), transactions: [] }, now, lang })
    const { money: m } = t
    const funding = words({ state: 'funding', released: '0', balance: { value: '300', block: 7 } })
    expectTexts(funding, m.lockedFunding, m.lockedFor('300 USDC'), '0 + 300 + 0 = 300 USDC')
    expect(funding).toContain(
      `${m.ifMissed(formatDay(lang, madeEscrow().activateBy))} ${m.collect}`,
    )
    const active = words({ released: '0', balance: { value: '425', block: 7 } })
    expectTexts(active, m.releasedNone, m.lockedFor('400 USDC'), m.lockedAbove.donors('25 USDC'))
    expect(active).toContain(m.ifUnpaid(formatDay(lang, madeEscrow().expiry)))
    const late = words({}, new Date(madeEscrow().expiry.getTime() + 1))
    expect(late).toContain(m.due)
    const done = words({
      state: 'done',
      releasedMilestones: [0],
      balance: { value: '0', block: 7 },
    })
    expectTexts(done, m.releasedSome({ paid: '1', all: '1' }), m.lockedNone, m.owedNone)
    const more = words({ released: '400', refunded: '0', balance: { value: '400.5', block: 7 } })
    expect(more).toMatch(/55 USDC/)
    expect(words({ released: '400' })).not.toContain(m.unassigned('0 USDC'))
  })

  test('shows the terms in words', () => {
    const words = wordsOf({ lang })
    expectTexts(words, t.quorumOf('2', '2'), t.verifiersNote, t.surplusTo.donors)
    expect(words).not.toContain(t.notDeployed)
    const young = { ...madeEscrow({ deployed: false, codeProvenAt: null }), transactions: [] }
    expect(wordsOf({ escrow: young, lang })).toContain(t.notDeployed)
  })

  test('explains each transaction, and says if there is none', () => {
    const transactions = ESCROW_ACTIONS.map((action) => ({ action, note: '', ...READY }))
    const releases = [{ milestoneId: 'm1', transaction: READY }]
    const words = wordsOf({ escrow: { ...madeEscrow(), transactions }, releases, lang })
    for (const action of ESCROW_ACTIONS) expect(words).toContain(t.actions[action].title)
    expect(words).toContain(`${t.actions.release.title}: First well`)
    expect(wordsOf({ lang })).toContain(t.noTransactions)
  })

  test('says how much one verifier alone can release, if that is so', () => {
    const words = (required: number[], surplus: 'recipient' | 'donors' = 'donors') => {
      const milestones = required.map((one) => ({ amount: '400', required: one }))
      return wordsOf({ escrow: { ...FAILED, milestones, surplus }, lang })
    }
    expect(words([3, 2])).not.toContain(t.oneVerifier('0 USDC'))
    expect(words([1, 1])).toContain(t.oneVerifier('800 USDC'))
    expect(words([1, 2])).toContain(t.oneVerifier('400 USDC'))
    expect(words([1, 1], 'recipient')).toContain(`${t.oneVerifier('800 USDC')} ${t.alsoLeft}`)
    expect(words([1, 2], 'recipient')).not.toContain(t.alsoLeft)
    expect(words([1, 1])).not.toContain(t.alsoLeft)
  })

  test('says who gives money back once the escrow has ended', () => {
    expect(wordsOf({ lang })).not.toContain(t.search.lead)
    const failed = wordsOf({ escrow: FAILED, lang })
    expectTexts(failed, t.money.collect, t.search.lead)
    const done = wordsOf({ escrow: { ...FAILED, state: 'done' }, lang })
    expect(done).toContain(`${t.assetReturns} ${t.search.lead}`)
    expect(done).not.toContain(t.money.collect)
  })

  test('shows the refunds of an account, or why there is none', () => {
    const words = (found: RefundSearch['found']) =>
      wordsOf({ escrow: FAILED, search: { account: '0x03', found }, lang })
    expect(words(null)).toContain(donateTexts[lang].refusals.wallet)
    expect(words([])).toContain(t.search.none)
    const { refund } = donationTexts[lang]
    const plain = { ...REFUND, refund: 'by_verifiers' as const, amount: '5000000', call: null }
    const unsigned = { ...plain, state: 'unsigned' as const, receiver: null }
    const waits = words([{ refund: unsigned, ready: null }])
    const five = `${campaignTexts[lang].amount} 5 USDC`
    expectTexts(waits, t.search.roads.by_verifiers, `${refund.unsigned('2')} ${five}`)
    expect(waits).not.toContain(refund.to)
    const ready = { chain: CHAIN, transaction: READY }
    expect(words([{ refund: REFUND, ready }])).toContain(t.transaction.data)
    for (const state of ['ready', 'sent', 'done'] as const) {
      const recorded = { refund: { ...REFUND, state }, ready: null }
      const returned = { refund: { ...plain, state }, ready: null }
      const page = words([recorded, returned])
      expectTexts(page, t.search.roads.on_chain, `${refund[state]} ${five} ${refund.to}`)
      expect(page).toContain(t.search.roads.by_verifiers)
      expect(page).not.toContain(t.search.none)
    }
    const elsewhere = { ...plain, state: 'done' as const, isElsewhere: true }
    const paid = words([{ refund: elsewhere, ready: null }])
    expectTexts(paid, `${refund.elsewhere} ${five} ${refund.to}`)
    expect(paid).not.toContain(refund.done)
  })

  test('shows a ready transaction as text', () => {
    const two = [...READY.sendCalls.calls, { to: '0x01', data: '0x0b', value: '0x0' as const }]
    const words = (changes: Partial<ReadyTransaction>) =>
      inWords(
        <ReadyTransactionPart transaction={{ ...READY, ...changes }} chain={CHAIN} lang={lang} />,
      )
    expect(words({})).toMatch(/90[\s.,\u202f]?000/)
    expect(words({ simulated: { block: 7, ok: false, gas: null } })).toContain(t.transaction.fails)
    expect(words({ simulated: null })).toContain(t.transaction.untried)
    expect(words({ validUntil: NOW })).toContain(t.transaction.validUntil)
    expect(words({ from: '0x02' })).toContain(`${t.transaction.from} 0x02`)
    expect(words({ sendCalls: { ...READY.sendCalls, calls: two } })).toContain(
      t.transaction.call('2'),
    )
  })

  test('says each state of sending', () => {
    const panel = { chain: CHAIN, calls: [], from: null, texts: t.send }
    const words = (state: Partial<typeof NOT_SENT>) =>
      inWords(<SendPanel {...panel} state={{ ...NOT_SENT, ...state }} />)
    expect(words({})).toBe(t.send.send)
    expect(words({ step: 'working' })).toBe(t.send.working)
    expect(words({ step: 'sent', hash: `0x${'a'.repeat(64)}` })).toContain(t.send.sent)
    const wallets = [{ id: '1', name: '', icon: null }]
    expect(words({ step: 'choosing', wallets })).toBe(`${t.send.choose} ${t.send.browserWallet}`)
    for (const problem of Object.keys(t.send.problems) as (keyof typeof t.send.problems)[]) {
      expect(words({ problem })).toBe(`${t.send.problems[problem]} ${t.send.again}`)
    }
  })
})

test('gives the island the calls and their sender, and shows its first state', () => {
  const html = renderToString(
    <ReadyTransactionPart
      transaction={{ ...READY, from: madeEscrow().recipient }}
      chain={CHAIN}
      lang="en"
    />,
  )
  const [, props = ''] = /data-island="send" data-props="([^"]+)"/.exec(html) ?? []
  expect(JSON.parse(props.replaceAll('&quot;', '"'))).toMatchObject({
    calls: READY.sendCalls.calls,
    from: madeEscrow().recipient,
    chain: { id: 1 },
  })
  expect(html).toContain('Send with my wallet')
})
