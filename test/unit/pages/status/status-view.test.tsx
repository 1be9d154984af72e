import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import type { ChainProgress } from '../../../../src/domain/blocks/index.ts'
import { chainStatus, HEALTHS } from '../../../../src/pages/load/chain-health.ts'
import { LANGUAGES } from '../../../../src/pages/shared/languages.ts'
import { StatusView } from '../../../../src/pages/status/routes.tsx'
import { statusTexts } from '../../../../src/pages/texts/status/index.ts'
import { expectTexts } from '../support/expect-texts.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const MINUTE = 60_000

const ETHEREUM = {
  id: 1,
  name: 'Ethereum',
  rpc: [],
  explorer: null,
  testnet: false,
  pollIntervalMs: 4_000,
  stalledAfterMs: 30 * MINUTE,
}

const progress = (changes: Partial<ChainProgress> = {}): ChainProgress => ({
  chainId: 1,
  idleMs: 2_000,
  isStalled: false,
  problem: null,
  blocksBehind: 0,
  cursor: 24_118_080,
  finalized: 24_118_003,
  booked: 24_118_003,
  finalizedMovedAt: new Date(NOW.getTime() - 5 * MINUTE),
  halted: false,
  ...changes,
})

const statusOf = (changes?: Partial<ChainProgress>) => chainStatus(ETHEREUM, progress(changes), NOW)

const CASES: Record<(typeof HEALTHS)[number], Partial<ChainProgress>> = {
  fine: { blocksBehind: 10 },
  unread: { idleMs: null, cursor: 0, finalized: 0, finalizedMovedAt: null },
  behind: { blocksBehind: 11 },
  notFinal: { finalizedMovedAt: new Date(NOW.getTime() - 31 * MINUTE) },
  nodes: { problem: 'https://node.example/s3cret does not answer' },
  stalled: { idleMs: 200_000, isStalled: true },
  halted: { halted: true, isStalled: true, problem: 'halted' },
}

test('judges a chain by the gravest cause of a delay', () => {
  for (const health of HEALTHS) expect(statusOf(CASES[health]).health).toBe(health)
})

test.each(LANGUAGES)('shows each state of a chain in %s, and no secret of a node', (lang) => {
  const t = statusTexts[lang]
  for (const health of HEALTHS) {
    const html = renderToString(<StatusView chains={[statusOf(CASES[health])]} lang={lang} />)
    expect(html).toContain(`<span>${t.health[health]}</span>`)
    expect(html).toContain(health === 'fine' ? t.fine.title : t.late.title)
    if (health !== 'fine') expect(html).toContain(t.why[health])
    expect(html).toContain(`/status/live?lang=${lang}`)
    expect(html).not.toContain('s3cret')
    expect(html).not.toMatch(/undefined|NaN|null/)
  }
})

test('shows blocks, their distance and the usual time to finality in the way of the language', () => {
  const html = renderToString(<StatusView chains={[statusOf()]} lang="de" />)
  expectTexts(html, '24.118.080', '24.118.003', '<dd>77</dd>', 'etwa 15 Minuten')
})

test('says that donations are late if one chain of several is', () => {
  const base = { ...statusOf(CASES.halted), id: 8453, name: 'Base' }
  const html = renderToString(<StatusView chains={[statusOf(), base]} lang="en" />)
  expectTexts(html, statusTexts.en.late.title, 'Ethereum', 'Base')
})
