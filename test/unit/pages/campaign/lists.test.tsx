import { renderToString } from 'preact-render-to-string'
import { describe, expect, test } from 'vitest'
import { LEDGER_ACCOUNT_KINDS, LEDGER_ENTRY_KINDS } from '../../../../src/kernel/statuses.ts'
import { DonationsView } from '../../../../src/pages/campaign/donations-view.tsx'
import { LedgerView } from '../../../../src/pages/campaign/ledger-view.tsx'
import { pagerOf } from '../../../../src/pages/campaign/sub-page.tsx'
import { campaignTexts } from '../../../../src/pages/campaign/texts/index.ts'
import { UpdatesView } from '../../../../src/pages/campaign/updates-view.tsx'
import { LANGUAGES } from '../../../../src/pages/shared/languages.ts'
import { inWords } from '../support/in-words.ts'
import { madeCampaign, madeDonation, madeEntry, madeUpdate, NOW } from './support/made-up.ts'

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
  const pager = pagerOf({ path: '/x', query: new URLSearchParams(), nextCursor: null, lang })
  const page = { campaign: madeCampaign(), pager, lang }

  test('show donations, all or those of a state', () => {
    const list = { ...page, now: NOW, status: undefined }
    const filled = inWords(<DonationsView {...list} donations={[madeDonation('completed')]} />)
    expect(filled).toContain(`Lena B. ${t.donationStates.completed}`)
    expect(inWords(<DonationsView {...list} donations={[]} />)).toContain(t.noDonations)
    const none = <DonationsView {...list} donations={[]} status="reversed" />
    expect(inWords(none)).toContain(t.noDonationsOfState)
    expect(renderToString(none)).toMatch(/<option value="reversed" selected/)
  })

  test('show entries of every kind with their accounts, and the newest seal', () => {
    const entries = LEDGER_ENTRY_KINDS.map((kind, index) =>
      madeEntry({
        id: index,
        kind,
        debit: LEDGER_ACCOUNT_KINDS[index % LEDGER_ACCOUNT_KINDS.length] ?? 'held',
        reverses: kind === 'reversal' ? 1 : null,
        txHash: index === 0 ? null : madeEntry().txHash,
      }),
    )
    const ledger = { ...page, chain: undefined, entries, total: entries.length }
    const words = inWords(<LedgerView {...ledger} head={HEAD} />)
    for (const kind of LEDGER_ENTRY_KINDS) expect(words).toContain(t.entryKinds[kind])
    for (const kind of LEDGER_ACCOUNT_KINDS) expect(words).toContain(t.accounts[kind])
    expect(words).toContain(t.reverses('1'))
    expect(words).toContain(t.sealed('2', String(entries.length)))
    expect(words).toContain(HEAD.head)
    const unsealed = <LedgerView {...ledger} entries={[]} total={0} head={null} />
    expect(inWords(unsealed)).toContain(t.noSeal)
    expect(inWords(unsealed)).toContain(t.noEntries)
  })

  test('show updates with their changes and attachments', () => {
    const media = [{ type: 'image', url: 'https://example.org/a.jpg', caption: null }]
    const changed = madeUpdate({ media, updatedAt: NOW })
    const words = inWords(<UpdatesView {...page} updates={[changed]} />)
    expect(words).toContain('The survey is done')
    expect(words).toContain(t.media(1))
    expect(words).toMatch(/2026 · .*2026/)
    expect(inWords(<UpdatesView {...page} updates={[]} />)).toContain(t.noUpdates)
  })

  test('lead to older and to the newest items, and keep the filter', () => {
    const query = new URLSearchParams({ status: 'failed', cursor: 'abc' })
    expect(pagerOf({ path: '/x', query, nextCursor: 'def', lang })).toEqual({
      label: t.pages,
      newest: { href: '/x?status=failed', label: t.newest },
      older: { href: '/x?status=failed&cursor=def', label: t.older },
    })
    expect(pager).toMatchObject({ newest: null, older: null })
  })
})
