import { renderToString } from 'preact-render-to-string'
import { describe, expect, test } from 'vitest'
import {
  type PanelProps,
  PaymentPanel,
  PHONE,
} from '../../../../src/pages/components/payment-panel.tsx'
import { LANGUAGES, type Language } from '../../../../src/pages/shared/languages.ts'
import {
  isOver,
  PAGE_PROBLEMS,
  type Payment,
  STEPS,
  startPayment,
} from '../../../../src/pages/shared/payment-machine.ts'
import { WALLET_PROBLEMS } from '../../../../src/pages/shared/wallet-problem.ts'
import { donateTexts } from '../../../../src/pages/texts/donate/index.ts'
import { escrowTexts } from '../../../../src/pages/texts/escrow/index.ts'
import { expectNone, expectTexts } from '../support/expect-texts.ts'
import { INTENT } from '../support/made-intent.ts'

const VALUES = { wallet: 'Ledger', amount: '25 USDC', currency: 'USDC', from: '0xa0Ee…9720' }
const ICON = 'data:image/svg+xml,x'
const LINKS = [{ name: 'A wallet', href: 'https://app.example/open' }]

const textsOf = (lang: Language) =>
  donateTexts[lang].panel({
    network: 'Base',
    networkId: '8453',
    coin: 'ETH',
    account: '0x1234…5678',
  })

const render = (lang: Language, payment: Partial<Payment>, props: Partial<PanelProps> = {}) =>
  renderToString(
    <PaymentPanel
      texts={textsOf(lang)}
      wallets={[{ id: 'a', name: 'Ledger', icon: ICON }]}
      chosen="a"
      payment={{ ...startPayment(8453, null), account: INTENT.wallet, ...payment }}
      values={VALUES}
      isNew
      walletLinks={null}
      audit="Be careful."
      {...props}
    />,
  )

const filled = (text: string): string =>
  text.replace(/\{(\w+)\}/g, (_, name: keyof typeof VALUES) => VALUES[name])

describe.each(LANGUAGES)('the payment panel in %s', (lang) => {
  const texts = textsOf(lang)

  test.each(STEPS)('has the next step as the label of its only main button: %s', (step) => {
    const html = render(lang, { step, intent: INTENT })
    const isEnd = step === 'sent' || step === 'signers'
    expect(html.match(/button-primary/g)?.length ?? 0).toBe(isEnd ? 0 : 1)
    if (!isEnd) expect(html).toContain(filled(texts.button[step]))
    expect(html).not.toMatch(/\{\w+\}|undefined/)
  })

  test('says in words what each step means for the donor', () => {
    expect(render(lang, { step: 'switch' })).toContain(texts.switchHint)
    expect(render(lang, { step: 'pay' })).toContain(filled(texts.connected))
    expect(render(lang, { step: 'confirm' })).toContain(filled(texts.confirmHint))
    expect(render(lang, { step: 'sent' })).toContain(texts.sent)
    const signers = render(lang, { step: 'signers', intent: INTENT })
    expectTexts(signers, texts.signers, `href="/d/${INTENT.id}"`)
  })

  test.each([...WALLET_PROBLEMS, ...PAGE_PROBLEMS])('explains the problem %s', (problem) => {
    const payment = { ...startPayment(8453, null), step: 'pay' as const, problem }
    const html = render(lang, payment)
    expect(html).toContain(filled(texts.problems[problem]))
    expect(html).not.toMatch(/\{\w+\}|undefined/)
    expect(html.includes('button-primary')).toBe(!isOver(payment))
  })

  test('says that a wallet is slow, and lets the donor stop waiting', () => {
    const html = render(lang, { step: 'confirm', isSlow: true })
    expectTexts(html, texts.slow, texts.cancel)
  })

  test.each(['checking', 'intent'] as const)(
    'says in the step %s that there is no answer, and lets the donor stop',
    (step) => expectTexts(render(lang, { step, isSlow: true }), texts.unanswered, texts.cancel),
  )

  test('links to the donation once the payment is sent, in case its page does not open', () => {
    const html = render(lang, { step: 'sent', intent: INTENT })
    expectTexts(html, texts.sent, `href="/d/${INTENT.id}"`, texts.toDonation)
  })

  test('explains what a wallet is if there is none, and asks for an address', () => {
    const html = render(lang, {}, { wallets: [], chosen: PHONE })
    expectTexts(html, `${texts.noWallet} ${texts.byPhone}`, 'name="wallet"', texts.button.show)
  })

  test('asks for no address on the page of a donation that is recorded', () => {
    const html = render(lang, { intent: INTENT }, { wallets: [], chosen: PHONE, isNew: false })
    expect(html).toContain(texts.noWallet)
    expectNone(html, texts.byPhone, 'name="wallet"')
  })

  test('works without a script: it has the address and the button', () => {
    const html = render(lang, { account: null }, { wallets: null, chosen: '' })
    expectTexts(html, 'name="wallet"', texts.button.show)
    expect(html).not.toContain('disabled="true"')
  })

  test('warns directly above each button that leads to giving into an escrow', () => {
    const audit = escrowTexts[lang].audit
    const given = { walletLinks: LINKS, audit }
    const [, rest = ''] = render(lang, { step: 'pay' }, given).split(audit)
    expect(rest).toMatch(/^<\/strong><\/p><div class="pay-buttons"><button/)
    const [, links = ''] = render(lang, {}, { ...given, wallets: [], chosen: PHONE }).split(audit)
    expect(links).toMatch(/^<\/strong><\/p><p class="[^"]+"><a class="button/)
    expect(render(lang, { step: 'sent' }, given)).not.toContain(audit)
  })

  test('offers for an escrow no phone, and says that an exchange gets its transfers back', () => {
    const html = render(lang, { step: 'pay' }, { walletLinks: LINKS })
    expectTexts(html, texts.ownWallet, filled(texts.button.pay))
    expectNone(html, texts.phone, texts.openIn, 'app.example')
  })

  test.each([null, []])('opens in a wallet app where the browser has no wallet: %o', (wallets) => {
    const html = render(lang, {}, { wallets, chosen: PHONE, walletLinks: LINKS })
    expectTexts(html, `${texts.noWallet} ${texts.openIn}`, 'href="https://app.example/open"')
    expect(html).toContain(texts.ownWallet)
    expect(html).not.toMatch(/<button|name="wallet"/)
    expect(html).not.toContain(texts.byPhone)
  })
})

test('shows the words of a wallet as text', () => {
  const html = render('en', { step: 'pay', problem: 'failed', detail: '<b>boom</b>' })
  expect(html).toContain('&lt;b>boom&lt;/b>')
})

test('shows the sentence of the server for what it refuses', () => {
  const detail = donateTexts.en.refusals.amount
  const html = render('en', { step: 'pay', problem: 'refused', detail })
  expect(html).toContain(detail)
  expect(html).not.toContain('<details>')
})

test('shows a wallet without a name, and images only of wallets', () => {
  const html = render('en', {}, { wallets: [{ id: 'a', name: '', icon: null }] })
  expect(html).toContain('Browser wallet')
  expect(html).not.toContain('<img')
})

test('does not pay while the wallet has another account than the intent', () => {
  const html = render('en', { step: 'pay', problem: 'wrong-account', intent: INTENT })
  expect(html).toMatch(/<button type="submit" class="button button-primary" aria-disabled="true">/)
  expect(html).toContain(`formaction="/d/${INTENT.id}/cancel"`)
})

test('after an intent is recorded, the phone leads to its instructions', () => {
  const html = render('en', { step: 'pay', intent: INTENT }, { chosen: PHONE })
  expect(html).toContain(`<a class="button button-primary" href="/d/${INTENT.id}"`)
  expect(html).not.toContain('name="wallet"')
})
