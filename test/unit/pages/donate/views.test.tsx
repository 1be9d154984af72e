import { renderToString } from 'preact-render-to-string'
import decodeQR from 'qr/decode.js'
import { describe, expect, test } from 'vitest'
import type { PaymentView } from '../../../../src/domain/donations/index.ts'
import { DonateView, type DonateViewProps } from '../../../../src/pages/donate/donate-view.tsx'
import { PaidView } from '../../../../src/pages/donate/paid-view.tsx'
import { refused } from '../../../../src/pages/donate/refusals.ts'
import { HashForm, PaymentInstructions } from '../../../../src/pages/parts/payment-instructions.tsx'
import { LANGUAGES, type Language } from '../../../../src/pages/shared/languages.ts'
import { campaignTexts } from '../../../../src/pages/texts/campaign/index.ts'
import type { DonateTexts } from '../../../../src/pages/texts/donate/en.ts'
import { donateTexts } from '../../../../src/pages/texts/donate/index.ts'
import { escrowTexts } from '../../../../src/pages/texts/escrow/index.ts'
import { expectNone, expectTexts } from '../support/expect-texts.ts'
import { INTENT } from '../support/made-intent.ts'

const REFUSALS = Object.keys(donateTexts.en.refusals) as (keyof DonateTexts['refusals'])[]

const ACCOUNT = '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720'
const TOKEN = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const HASH = `0x${'ab'.repeat(32)}`
const ID = '0199b0b2-0000-7000-8000-000000000001'
const URI = `ethereum:${TOKEN}@8453/transfer?address=${ACCOUNT}&uint256=1234500000`

const CAMPAIGN = {
  id: ID,
  slug: 'clean-water',
  title: 'Clean water',
  status: 'active' as const,
  currency: 'USDC',
  currentAmount: '745.5',
  targetAmount: '1000',
  ledgerAccount: ACCOUNT,
  chainId: 8453,
  milestones: [],
}

const island = (lang: Language): DonateViewProps['island'] => ({
  lang,
  texts: donateTexts[lang].panel({
    network: 'Base',
    networkId: '8453',
    coin: 'ETH',
    account: '0xa0Ee…9720',
  }),
  chain: {
    id: 8453,
    name: 'Base',
    rpc: [],
    explorer: null,
    native: { symbol: 'ETH', decimals: 18 },
  },
  assets: [
    { symbol: 'USDC', decimals: 6, token: TOKEN },
    { symbol: 'ETH', decimals: 18, token: null },
  ],
  action: '/c/clean-water/donate',
  intent: null,
  walletLinks: null,
  audit: 'Be careful.',
})

const TYPED = {
  amount: '12,50',
  currency: 'ETH',
  name: 'Ada',
  message: '<b>Hi</b>',
  wallet: WALLET,
}

const donate = (lang: Language, changes: Partial<DonateViewProps> = {}) =>
  renderToString(
    <DonateView
      lang={lang}
      campaign={CAMPAIGN}
      island={island(lang)}
      closed={null}
      typed={TYPED}
      rates={{ ETH: '2500' }}
      refused={null}
      isCancelled={false}
      {...changes}
    />,
  )

const PAYMENT: PaymentView = {
  account: ACCOUNT,
  accountId: `eip155:8453:${ACCOUNT.toLowerCase()}`,
  chainId: 8453,
  asset: `eip155:8453/erc20:${TOKEN.toLowerCase()}`,
  token: TOKEN,
  amount: '1234.5',
  units: '1234500000',
  currency: 'USDC',
  uri: URI,
  methods: null,
  txHash: null,
  expiresAt: new Date('2026-11-24T12:00:00Z'),
  expected: { value: '1234.5', currency: 'USDC' },
  received: null,
  state: 'awaiting',
  late: false,
}

const instructions = (
  lang: Language,
  payment: Partial<PaymentView> = {},
  {
    wallet = WALLET,
    mayChange = true,
    isContested = false,
  }: {
    wallet?: string | undefined
    mayChange?: boolean
    isContested?: boolean
  } = {},
) =>
  renderToString(
    <PaymentInstructions
      lang={lang}
      donationId={ID}
      payment={{ ...PAYMENT, ...payment }}
      network="Base"
      apps={[{ name: 'A wallet', href: 'https://app.example/pay' }]}
      wallet={wallet || undefined}
      island={mayChange ? { ...island(lang), intent: INTENT } : null}
      isContested={isContested}
      mayChange={mayChange}
    />,
  )

const AMOUNTS: Record<Language, string> = {
  en: '1,234.50',
  de: '1.234,50',
  es: '1234,50',
  fr: '1\u202f234,50',
  pt: '1.234,50',
}

describe.each(LANGUAGES)('the pages that take a donation in %s', (lang) => {
  const t = donateTexts[lang]

  test('ask for an amount, words and a way to pay', () => {
    const html = donate(lang)
    expectTexts(
      html,
      t.title('Clean water'),
      campaignTexts[lang].amount,
      t.wordsHint,
      t.alreadyPaid,
    )
    expectTexts(html, t.countsAs('ETH', 'USDC'), t.summary.direct)
    expect(html).not.toContain(t.cancelled)
    expect(donate(lang, { isCancelled: true })).toContain(t.cancelled)
    expect(html).not.toMatch(/undefined|\[object| style="/)
  })

  test('take no donation for a closed campaign, and do not show its account', () => {
    const html = donate(lang, {
      campaign: { ...CAMPAIGN, status: 'cancelled' },
      closed: 'It is over.',
    })
    expectTexts(html, t.closed.title, 'It is over.')
    expectNone(html, '<form', ACCOUNT)
  })

  test.each(REFUSALS)('keep what was typed when they refuse: %s', (refusal) => {
    const html = donate(lang, { refused: refused(refusal) })
    expectTexts(html, t.errors, t.refusals[refusal])
    expectTexts(html, '12,50', 'Ada', '&lt;b>Hi&lt;/b>', WALLET)
  })

  test('show the account of an escrow nowhere, because a plain transfer is not recorded', () => {
    const deadline = new Date('2026-11-24T12:00:00Z')
    const milestones = [{ amount: '300', required: 1 }]
    const escrow = { deadline, activateBy: deadline, deployed: false, milestones }
    const campaign = { ...CAMPAIGN, escrow: { ...escrow, surplus: 'donors' as const } }
    const html = donate(lang, { campaign, island: { ...island(lang), walletLinks: [] } })
    const { money, oneVerifier } = escrowTexts[lang]
    expectTexts(html, island(lang).texts.ownWallet, money.collect)
    expectTexts(html, oneVerifier('300\u00a0USDC'))
    expectNone(html, ACCOUNT, 'name="wallet"')
  })

  test('ask for the transaction of a payment that is already sent', () => {
    const typed = new URLSearchParams({ transaction: '0x12', amount: '5' })
    const view = (refusal: 'claimed' | 'unknownPayment') =>
      renderToString(
        <PaidView
          lang={lang}
          campaign={CAMPAIGN}
          network="Base"
          assets={island(lang).assets}
          typed={typed}
          refused={{ ...refused(refusal), claimedBy: ID }}
        />,
      )
    expectTexts(view('unknownPayment'), t.refusals.unknownPayment, 'value="0x12"')
    expectTexts(view('claimed'), `href="/d/${ID}"`, t.paid.claimLink)
  })

  test('show how to pay as text: amount, account, network, token and wallet', () => {
    const html = instructions(lang)
    const amount = `${AMOUNTS[lang]}\u00a0USDC`
    expect(html).toContain(t.how.send({ amount, network: 'Base' }))
    expectTexts(html, ACCOUNT, TOKEN, WALLET, 'Base (8453)')
    expectTexts(html, 'data-copy="1234.5"', t.how.cancel)
    expect(html).not.toMatch(/undefined|\[object| style="/)
  })

  test('ask for every digit if another user has announced a payment from the wallet', () => {
    const text = t.how.contested({ amount: `${AMOUNTS[lang]}\u00a0USDC` })
    expect(instructions(lang, {}, { isContested: true })).toContain(text)
    expect(instructions(lang)).not.toContain(text)
  })

  test('open a wallet app on a phone, and say what it must show', () => {
    const html = instructions(lang)
    const amount = `${AMOUNTS[lang]}\u00a0USDC`
    expect(html).toContain(`<a class="button button-primary" href="${URI.replace('&', '&amp;')}">`)
    expectTexts(html, t.how.openPhone, t.how.openApp('A wallet'), 'href="https://app.example/pay"')
    expectTexts(html, t.how.checkThere({ amount, account: '0xa0Ee…9720', network: 'Base' }))
    expect(html.indexOf(t.how.openPhone)).toBeLessThan(html.indexOf('class="qr"'))
  })

  test('say before the payment that an exchange pays from a wallet of its own', () => {
    expectTexts(instructions(lang), t.exchange)
    expectTexts(donate(lang), t.exchange)
    expectNone(instructions(lang, { methods: [] }), t.exchange)
  })

  test('keep the hash, the way to pay and the cancelling after a hash was named', () => {
    const html = instructions(lang, { txHash: HASH })
    expectTexts(html, '<details open>', `value="${HASH}"`, t.how.notSent, ACCOUNT, t.how.cancel)
    expect(html.indexOf(HASH)).toBeLessThan(html.indexOf(t.how.notSent))
  })

  test('say which fields may stay empty, and what USDC is worth', () => {
    const html = donate(lang)
    expect(html.split(t.optional)).toHaveLength(3)
    expectTexts(html, t.dollar(`1\u00a0USDC`))
  })

  test('name each wrong field in one answer', () => {
    const html = donate(lang, { refused: refused(['amount', 'name', 'walletName']) })
    for (const [field, refusal] of [
      ['amount', 'amount'],
      ['name', 'name'],
      ['wallet', 'walletName'],
    ] as const) {
      expect(html).toContain(`<a href="#field-${field}">${t.refusals[refusal]}</a>`)
    }
    expect(html.split('class="field-error"')).toHaveLength(4)
  })

  test('show a code with the amount, and one with only the account', () => {
    const html = instructions(lang)
    expect(codesIn(html)).toEqual([URI, ACCOUNT])
    expect(html).toContain(
      t.how.codeLabel({ amount: `${AMOUNTS[lang]}\u00a0USDC`, account: ACCOUNT, network: 'Base' }),
    )
  })

  test('offer an escrow no code, no account and no transfer, but the wallets', () => {
    const html = instructions(lang, { methods: [] })
    expectTexts(html, `${AMOUNTS[lang]}\u00a0USDC`, t.how.panelTitle)
    expect(codesIn(html)).toEqual([])
    expectNone(html, t.how.account, `data-copy="${ACCOUNT}"`, 'ethereum:')
  })

  test('show another browser neither the wallet nor the buttons of the donor', () => {
    const html = instructions(lang, {}, { wallet: '', mayChange: false })
    expect(html).toContain(t.how.fromNamed)
    expectNone(html, WALLET, '<form')
  })

  test('keep a wrong hash in its form', () => {
    const html = renderToString(
      <HashForm lang={lang} donationId={ID} value="0x12" error={t.refusals.transaction} />,
    )
    expectTexts(html, 'value="0x12"', t.refusals.transaction)
  })
})

/** Decodes the QR codes in a page from their SVG paths, and returns their texts. */
const codesIn = (html: string): string[] =>
  [
    ...html.matchAll(
      /<svg class="qr" viewBox="0 0 (\d+) \d+"[^>]*><rect[^>]*><\/rect><path d="([^"]*)"/g,
    ),
  ].map(([, size, path]) => readCode(Number(size), path ?? ''))

const SCALE = 4

const readCode = (size: number, path: string): string => {
  const width = size * SCALE
  const data = new Uint8Array(width * width * 4).fill(255)
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h/g)) {
    for (let dy = 0; dy < SCALE; dy++) {
      const start = ((Number(y) * SCALE + dy) * width + Number(x) * SCALE) * 4
      for (let dx = 0; dx < SCALE; dx++) data.set([0, 0, 0, 255], start + dx * 4)
    }
  }
  return decodeQR({ width, height: width, data })
}

/** Words that another language writes as English does. */
const SAME = new Set(['Message', 'Name', 'Token', 'Transaction', 'Total'])

test('translate every sentence', () => {
  const leaves = (lang: Language): string[] => {
    const all: string[] = []
    const walk = (value: unknown): void => {
      if (typeof value === 'string') all.push(value)
      else if (typeof value === 'function') walk((value as (arg: object) => unknown)({}))
      else for (const inner of Object.values(value as object)) walk(inner)
    }
    walk(donateTexts[lang])
    return all
  }
  const english = leaves('en')
  for (const lang of LANGUAGES.filter((one) => one !== 'en')) {
    const same = leaves(lang).filter((text, index) => text === english[index] && !SAME.has(text))
    expect(same).toEqual([])
  }
})
