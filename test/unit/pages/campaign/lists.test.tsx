import { renderToString } from 'preact-render-to-string'
import { describe, expect, test } from 'vitest'
import {
  LEDGER_ACCOUNT_KINDS,
  LEDGER_ENTRY_KINDS,
  type LedgerAccountKind,
} from '../../../../src/kernel/statuses.ts'
import { LedgerView } from '../../../../src/pages/campaign/ledger-view.tsx'
import { DonationsView, UpdatesView } from '../../../../src/pages/campaign/list-views.tsx'
import { Pager } from '../../../../src/pages/components/lists.tsx'
import { LANGUAGES } from '../../../../src/pages/shared/languages.ts'
import { campaignTexts } from '../../../../src/pages/texts/campaign/index.ts'
import { expectTexts } from '../support/expect-texts.ts'
import { inWords } from '../support/in-words.ts'
import {
  madeCampaign,
  madeDonation,
  madeEntry,
  madeEscrow,
  madeUpdate,
  NOW,
} from './support/made-up.ts'

const HEAD = {
  campaignId: '01a20600-0000-7000-8000-000000000001',
  seq: 2,
  head: `0x${'cd'.repeat(32)}`,
  globalHead: `0x${'ef'.repeat(32)}`,
  signature: 's',
  keyId: 'key-1',
  sealedAt: NOW,
  entries: 2,
}

describe.each(LANGUAGES)('the lists of a campaign in %s', (lang) => {
  const t = campaignTexts[lang]
  const position = { path: '/x', query: new URLSearchParams(), nextCursor: null }
  const page = { campaign: madeCampaign(), position, lang }

  test('show donations, all or those of a state', () => {
    const list = { ...page, now: NOW, status: undefined }
    const filled = inWords(<DonationsView {...list} donations={[madeDonation('completed')]} />)
    expect(filled).toContain(`Lena B. ${t.donationStates.completed}`)
    expect(inWords(<DonationsView {...list} donations={[]} />)).toContain(t.noDonations)
    const none = <DonationsView {...list} donations={[]} status="reversed" />
    expect(inWords(none)).toContain(t.noDonationsOfState)
    expect(renderToString(none)).toMatch(/<option value="reversed" selected/)
  })

  test('show entries of every kind, with a sign for money that moves on the chain, and the newest seal', () => {
    const entries = LEDGER_ENTRY_KINDS.map((kind, index) =>
      madeEntry({
        id: index,
        kind,
        debit: LEDGER_ACCOUNT_KINDS[index % LEDGER_ACCOUNT_KINDS.length] ?? 'held',
        reverses: kind === 'reversal' ? 1 : null,
        txHash: index === 0 ? null : madeEntry().txHash,
      }),
    )
    const flows = { block: null, flows: [] }
    const ledger = { ...page, chain: undefined, flows, entries, total: entries.length }
    const words = inWords(<LedgerView {...ledger} head={HEAD} />)
    for (const kind of LEDGER_ENTRY_KINDS) expect(words).toContain(t.entryKinds[kind])
    const signed = (debit: LedgerAccountKind, credit: LedgerAccountKind) =>
      inWords(<LedgerView {...ledger} entries={[madeEntry({ debit, credit })]} head={null} />)
    expect(signed('custody', 'held')).toMatch(/\+ 25[.,]00 USDC/)
    expect(signed('paid', 'custody')).toMatch(/− 25[.,]00 USDC/)
    expect(signed('released', 'held')).toMatch(/UTC 25[.,]00 USDC/)
    expectTexts(
      words,
      t.noTransaction,
      t.checkHead,
      t.reverses('1'),
      t.sealed('2', String(entries.length)),
      HEAD.head,
    )
    const unsealed = <LedgerView {...ledger} entries={[]} total={0} head={null} />
    expectTexts(inWords(unsealed), t.noSeal, t.noEntries)
  })

  test('show at one block that what came in, without what went out, is what is held', () => {
    const flow = { currency: 'USDC', cameIn: '525', paid: '200', refunded: '0.5', held: '324.5' }
    const flows = { block: 7, flows: [flow] }
    const ledger = { ...page, chain: undefined, flows, entries: [], total: 0, head: null }
    const plain = inWords(<LedgerView {...ledger} />)
    expectTexts(plain, t.wentStraight, t.heldHere, t.asOfBlock('7'), t.donationIsPayout)
    expect(plain).toContain('525 − 525 = 0 USDC')
    const campaign = madeCampaign({ escrow: { ...madeEscrow(), deployment: null as never } })
    const escrow = inWords(<LedgerView {...ledger} campaign={campaign} />)
    expectTexts(escrow, t.wentOut, t.heldInEscrow, t.compareBalance)
    expect(escrow).toMatch(/525 − 200[.,]50 = 324[.,]50 USDC/)
    expect(escrow).not.toContain(t.wentStraight)
  })

  test('show updates with their changes and attachments', () => {
    const media = [{ type: 'image', url: 'https://example.org/a.jpg', caption: null }]
    const changed = madeUpdate({ media, updatedAt: NOW })
    const words = inWords(<UpdatesView {...page} updates={[changed]} />)
    expectTexts(words, 'The survey is done', t.media(1))
    expect(words).toMatch(/2026 · .*2026/)
    expect(inWords(<UpdatesView {...page} updates={[]} />)).toContain(t.noUpdates)
  })

  test('lead to older and to the newest items, and keep the filter', () => {
    const query = new URLSearchParams({ status: 'failed', cursor: 'abc' })
    const links = renderToString(<Pager path="/x" query={query} nextCursor="def" texts={t} />)
    expect(links).toContain(`<a href="/x?status=failed">${t.newest}</a>`)
    expect(links).toContain(`<a href="/x?status=failed&amp;cursor=def" rel="next">${t.older}</a>`)
    expect(renderToString(<Pager {...position} texts={t} />)).toBe('')
  })
})
