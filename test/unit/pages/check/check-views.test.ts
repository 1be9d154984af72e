import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { beforeAll, describe, expect, test } from 'vitest'
import { sayHead } from '../../../../src/pages/components/check-head.tsx'
import {
  type CheckProps,
  type CheckState,
  IDLE,
} from '../../../../src/pages/components/check-state.ts'
import { ProofCheck } from '../../../../src/pages/components/proof-check.tsx'
import type { HeadVerdict } from '../../../../src/pages/shared/check/check-head.ts'
import { type CheckOutcome, VERDICTS } from '../../../../src/pages/shared/check/check-proof.ts'
import { formatMoment } from '../../../../src/pages/shared/format.ts'
import { LANGUAGES, type Language } from '../../../../src/pages/shared/languages.ts'
import { checkTexts } from '../../../../src/pages/texts/check/index.ts'
import { expectNone, expectTexts } from '../support/expect-texts.ts'
import { textOf } from '../support/text-of.ts'
import { checkMade } from './support/check-made.ts'

let outcome: CheckOutcome

beforeAll(async () => {
  outcome = await checkMade()
})

const propsOf = (lang: Language): CheckProps => ({
  lang,
  texts: checkTexts[lang].island,
  siteKeys: [],
  assets: [],
  chains: [
    {
      id: 5,
      name: 'Görli',
      rpc: [],
      explorer: 'https://explorer.example/',
      native: { symbol: 'ETH', decimals: 18 },
    },
  ],
  mayAskLocal: false,
  donation: null,
})

const deskIn = (lang: Language, state: Partial<CheckState>): string =>
  textOf(renderToString(h(ProofCheck, { ...propsOf(lang), state: { ...IDLE, ...state } })))

/** A sentence after its last place. */
const endOf = (sentence: string): string => sentence.split('}').at(-1) ?? ''

const resultWith = (part: Partial<CheckOutcome>): string =>
  renderToString(
    h(ProofCheck, {
      ...propsOf('en'),
      state: { ...IDLE, phase: 'done', outcome: { ...outcome, ...part } },
    }),
  )

/** Returns the part of a sentence before its first placeholder, which every rendering contains. */
const startOf = (sentence: string): string => sentence.split('{')[0] ?? ''

describe.each(LANGUAGES)('the check in %s', (lang) => {
  const { island: texts } = checkTexts[lang]

  test.each(VERDICTS)('says the verdict %s, with nothing left to fill', (verdict) => {
    const text = deskIn(lang, { phase: 'done', outcome: { ...outcome, verdict } })
    expect(text).toContain(startOf(texts.verdicts[verdict]))
    expect(text).not.toMatch(/[{}]|undefined|null/)
    for (const { name } of outcome.checks) {
      expect(text).toContain(texts.steps[name as keyof typeof texts.steps])
    }
  })

  test('says in sentences what was proven, and in one what was trusted', () => {
    const { says, titles } = texts
    const text = deskIn(lang, { phase: 'done', outcome })
    expectTexts(text, titles.proven, says.proven, says.trusted, endOf(says.credit))
    const open = { ...outcome, verdict: 'needs_hash', answers: [] } as const
    const asked = deskIn(lang, { phase: 'done', outcome: open })
    expectTexts(asked, titles.needs_hash, says.soFar, endOf(says.onlyIf), endOf(says.credit))
    expectNone(asked, says.trusted)
    const unsigned = deskIn(lang, { phase: 'done', outcome: { ...open, isSigned: false } })
    expectTexts(unsigned, titles.open)
    expectNone(unsigned, endOf(says.credit), titles.needs_hash)
    const wrong = deskIn(lang, { phase: 'done', outcome: { ...outcome, verdict: 'failed' } })
    expectTexts(wrong, titles.wrong)
    expectNone(wrong, says.proven, says.soFar, says.trusted)
  })

  test('answers for the head of a ledger, with nothing left to fill', () => {
    const more = { entries: 7, sealedAt: '2026-11-23T14:34:00.000Z' }
    const head = { kind: 'head' as const, keyId: 'k', campaignId: 'c', seq: 3, head: '0x', more }
    for (const [verdict, title] of Object.entries(texts.head.titles)) {
      const said = sayHead(texts, verdict as HeadVerdict, head, { seq: 9, head: '0x1' }, lang)
      const text = deskIn(lang, { phase: 'done', head: said })
      expect(text).toContain(title)
      expect(text).not.toMatch(/[{}]|undefined|null/)
      const isSigned = ['current', 'older', 'alone'].includes(verdict)
      expect(text.includes(texts.head.fixed)).toBe(isSigned)
      expect(text.includes(formatMoment(lang, new Date(more.sealedAt)))).toBe(isSigned)
    }
  })

  test('offers a way out when the check takes long', () => {
    const asking = { phase: 'asking', names: 'A wallet' } as const
    expectTexts(deskIn(lang, { ...asking, isSlow: true }), texts.slow, texts.alone)
    expectNone(deskIn(lang, asking), texts.slow, texts.alone)
    expect(deskIn(lang, { phase: 'not_ready', isSlow: true })).toContain(texts.slow)
    expectNone(deskIn(lang, { phase: 'done', outcome, isSlow: true }), texts.slow)
  })

  test('says each phase before the result', () => {
    const asking = deskIn(lang, { phase: 'asking', names: 'A wallet' })
    expect(asking).toContain('A wallet')
    for (const [phase, sentence] of [
      ['reading', texts.reading],
      ['not_ready', texts.notReady],
      ['no_answer', texts.noAnswer],
      ['not_json', texts.desk.notJson],
      ['keys', texts.desk.keys],
    ] as const) {
      expect(deskIn(lang, { phase })).toContain(sentence)
    }
    expect(deskIn(lang, {})).toContain(texts.start)
    expect(deskIn(lang, { phase: 'done', outcome })).toContain(texts.again)
  })

  test('asks for the hash, and says why each wallet has none', () => {
    const answers = (['other_chain', 'no_block', 'no_answer'] as const).map((problem) => ({
      source: `Wallet ${problem}`,
      hash: null,
      problem,
    }))
    const state = {
      phase: 'done',
      outcome: { ...outcome, verdict: 'needs_hash', answers },
    } as const
    const text = deskIn(lang, { ...state, wrong: 'hash' })
    for (const { source } of answers) expect(text).toContain(source)
    expectTexts(text, texts.hashHint, texts.hashWrong, texts.explorer, texts.checkHash)
    const none = deskIn(lang, { ...state, outcome: { ...state.outcome, answers: [] } })
    expectTexts(none, texts.noWallet, texts.says.others)
    expect(none).not.toMatch(/[{}]/)
  })

  test('says whose word is left, and names the key and the file', async () => {
    const made = await checkMade({ kind: 'call', accept: ['transaction', 'balance'] })
    const kept = { ...made, keySource: 'kept' } as const
    const text = deskIn(lang, { phase: 'done', outcome: kept, keptFile: 'head.json' })
    for (const word of ['source', 'own_key', 'reversal', 'balance'] as const) {
      expect(text).toContain(startOf(texts.words[word]))
    }
    expectTexts(text, made.keyIds[0], 'head.json')
  })

  test('has on the server what the browser shows first', () => {
    const { proof } = outcome
    if (!proof) throw new Error('The made proof is valid.')
    const { id, campaignId, account } = proof.donation
    const donation = { proof: '/proof', expected: { id, campaignId, account } }
    const html = renderToString(h(ProofCheck, { ...propsOf(lang), donation }))
    expect(textOf(html)).toContain(texts.start)
    expectTexts(html, 'name="act" value="start"', '<noscript>')
  })
})

test('shows the hash of the block only after a source of the donor has named it', () => {
  const hash = outcome.proof?.block.hash ?? ''
  expect(resultWith({})).toContain(hash)
  const other = { source: 'you', hash: `0x${'00'.repeat(32)}`, problem: null }
  for (const answers of [[], [{ ...other, hash: null }], [other]]) {
    for (const verdict of VERDICTS) expect(resultWith({ answers, verdict })).not.toContain(hash)
  }
})

test('opens the steps if one is wrong', () => {
  expectTexts(resultWith({ verdict: 'failed' }), '<details class="fold" open>', 'panel-wrong')
  expectNone(resultWith({}), '<details class="fold" open>')
})

test('all languages have the same places to fill', () => {
  const placesOf = (value: object): string[] =>
    Object.entries(value).flatMap(([name, text]) =>
      typeof text === 'string'
        ? [`${name} ${[...text.matchAll(/\{\w+\}/g)].map(String).sort()}`]
        : placesOf(text as object),
    )
  for (const lang of LANGUAGES) {
    expect(placesOf(checkTexts[lang].island)).toEqual(placesOf(checkTexts.en.island))
  }
})
