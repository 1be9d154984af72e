import { renderToString } from 'preact-render-to-string'
import { describe, expect, test } from 'vitest'
import { WalletSteps } from '../../../../src/pages/parts/wallet-steps.tsx'
import { formatCount, formatMoment, shorten } from '../../../../src/pages/shared/format.ts'
import { LANGUAGES } from '../../../../src/pages/shared/languages.ts'
import type { Intent } from '../../../../src/pages/shared/payment.ts'
import { gasOf, stepsOf } from '../../../../src/pages/shared/wallet-steps.ts'
import { donateTexts } from '../../../../src/pages/texts/donate/index.ts'
import { expectTexts } from '../support/expect-texts.ts'
import { INTENT } from '../support/made-intent.ts'
import { textOf } from '../support/text-of.ts'

const { account: ACCOUNT, wallet } = INTENT
const TOKEN = INTENT.token ?? ''
const FACTORY = `0x${'05'.repeat(20)}`
const CHAIN = {
  id: 8453,
  name: 'Base',
  rpc: [],
  explorer: null,
  native: { symbol: 'ETH', decimals: 18 },
}
const DEPLOY = { to: FACTORY, data: `0x${'0c'.repeat(500)}`, value: '0x0' }
const APPROVE = { to: TOKEN, data: '0x0a', value: '0x0' }
const DONATE = { to: ACCOUNT, data: '0x0b', value: '0x0' }

const calls = (...first: (typeof DEPLOY)[]) => ({
  method: 'calls' as const,
  sendCalls: { calls: [...first, APPROVE, DONATE] },
})
const authorization = (...first: (typeof DEPLOY)[]) => ({
  method: 'authorization' as const,
  typedData: {
    primaryType: 'ReceiveWithAuthorization',
    message: { to: ACCOUNT, value: '25000000', validBefore: '1800000000' },
  },
  relay: { calls: first, to: ACCOUNT, arguments: [wallet, wallet, '25000000', '1800000000', '0x'] },
})

describe.each(LANGUAGES)('the requests of a wallet in %s', (lang) => {
  const { escrow: t } = donateTexts[lang]
  /** The words of each request of a wallet that is asked one by one. */
  const listed = (methods: Intent['methods']) => {
    const html = renderToString(
      <WalletSteps intent={{ ...INTENT, methods }} chain={CHAIN} lang={lang} />,
    )
    const [each = '', batch = ''] = html.split('<div class="by-batch">')
    const itemsOf = (part: string) =>
      [...part.matchAll(/<li class="step">(.*?)<\/li>/gs)].map(([, item = '']) =>
        textOf(item).replaceAll(/\s+/g, ' '),
      )
    return { each: itemsOf(each), batch: itemsOf(batch), html }
  }

  test('are numbered, and say what each does, whether it moves money and what the wallet shows', () => {
    const { each, html } = listed([authorization(DEPLOY), calls(DEPLOY)])
    expect(each).toHaveLength(3)
    const [permission = '', deploy = '', give = ''] = each
    expect(html).toContain(t.title(3))
    expectTexts(permission, t.of({ step: 1, all: 3 }), t.kinds.permission.what, t.noFee)
    expectTexts(permission, t.movesNone, t.signature, 'ReceiveWithAuthorization', '25000000')
    const until = formatMoment(lang, new Date(1_800_000_000_000)).replaceAll(/\s/g, ' ')
    expectTexts(permission, shorten(ACCOUNT), t.parties.escrow, until)
    expectTexts(deploy, t.of({ step: 2, all: 3 }), t.movesNone, t.transaction, '0 ETH')
    expectTexts(deploy, shorten(FACTORY), t.parties.factory, t.kinds.deploy.what)
    expectTexts(give, t.of({ step: 3, all: 3 }), t.moves('25 USDC'), t.inside('25 USDC'), '0 ETH')
    expect(give).not.toContain(t.movesNone)
  })

  test('are fewer once the contract is on the chain, and one for all calls at once', () => {
    expect(listed([authorization(), calls()]).each).toHaveLength(2)
    const { each, batch, html } = listed([calls(DEPLOY)])
    expect(each).toHaveLength(3)
    expectTexts(each[1] ?? '', t.kinds.approve.what, shorten(TOKEN), t.limit, '25000000')
    expect(batch).toHaveLength(1)
    expectTexts(batch[0] ?? '', t.of({ step: 1, all: 1 }), t.moves('25 USDC'), t.calls)
    expectTexts(batch[0] ?? '', shorten(FACTORY), shorten(TOKEN), shorten(ACCOUNT))
    expect(html).toContain(t.title(1))
  })

  test('name the sum of all fees, the deployment included, and who pays it', () => {
    const first = [authorization(DEPLOY), calls(DEPLOY)]
    const sum = gasOf(stepsOf({ ...INTENT, methods: first }, false))
    expect(sum).toBeGreaterThan(
      gasOf(stepsOf({ ...INTENT, methods: [authorization(), calls()] }, false)),
    )
    const { html } = listed(first)
    expectTexts(html, `data-gas="${sum}"`, t.gas(formatCount(lang, sum)), t.costs.network)
    expectTexts(html, t.costs.own, t.costs.none, t.costs.note)
  })
})
