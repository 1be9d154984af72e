import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { describe, expect, test } from 'vitest'
import type { UserView } from '../../../../src/domain/account/index.ts'
import { DONATION_STATUSES } from '../../../../src/kernel/statuses.ts'
import { AccountView, NOTES } from '../../../../src/pages/account/own/account-view.tsx'
import { DepositsView } from '../../../../src/pages/account/own/deposits-view.tsx'
import { DonationsView, NotificationsView } from '../../../../src/pages/account/own/list-pages.tsx'
import { EMPTY_FORM, type FormState } from '../../../../src/pages/account/refusals.ts'
import { ClaimView } from '../../../../src/pages/account/sign-in/claim-pages.tsx'
import { RegisterView, VerifyView } from '../../../../src/pages/account/sign-in/register-pages.tsx'
import { ResetView, SignInView } from '../../../../src/pages/account/sign-in/sign-in-pages.tsx'
import { LANGUAGES } from '../../../../src/pages/shared/languages.ts'
import { type AccountTexts, accountTexts } from '../../../../src/pages/texts/account/index.ts'
import { bareDonation } from '../support/bare-donation.ts'
import { expectTexts } from '../support/expect-texts.ts'

const NOW = new Date('2026-11-23T12:00:00Z')
const HOUR = 3_600_000
const ID = '0190a1b2-0000-7000-8000-00000000000'
const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const USER: UserView = {
  id: `${ID}1`,
  email: 'ada@example.org',
  username: 'ada',
  firstName: 'Ada',
  lastName: null,
  lang: 'en',
  profile: {},
  roles: [],
  emailVerified: true,
  verified: true,
  createdAt: NOW,
}

const SESSIONS = [
  { id: `${ID}2`, userAgent: null, current: true },
  { id: `${ID}3`, userAgent: 'curl/8.14.1', current: false },
].map((one) => ({ ...one, createdAt: NOW, expiresAt: NOW, lastUsedAt: NOW }))

const WALLETS = [
  { id: `${ID}4`, address: WALLET, chainId: 1, method: 'ecdsa' as const, createdAt: NOW },
]

const TITLES = new Map([[`${ID}5`, { id: `${ID}5`, title: 'Clean water', slug: 'clean-water' }]])

const AMOUNT = { value: '12.5', currency: 'USDC' }

const donationWith = (status: (typeof DONATION_STATUSES)[number]) => ({
  ...bareDonation(AMOUNT),
  id: `${ID}6`,
  userId: `${ID}1`,
  campaignId: `${ID}5`,
  status,
  createdAt: new Date(NOW.getTime() - HOUR),
})

const depositWith = (beforeCampaign: boolean, claimedBy: string | null = null) => ({
  id: `${ID}7`,
  campaignId: `${ID}5`,
  chainId: 1,
  txHash: `0x${'ab'.repeat(32)}`,
  logPosition: 0,
  sender: WALLET,
  account: WALLET,
  amount: AMOUNT,
  asset: 'eip155:1/slip44:60',
  blockNumber: 1,
  minedAt: NOW,
  final: true,
  claimedBy,
  beforeCampaign,
})

const noticeWith = (status: 'unread' | 'read', data: Record<string, string>) => ({
  ...{ id: `${ID}8`, type: 'donation_completed', title: 'Ihre Spende', message: 'Ist da.' },
  ...{ status, data, createdAt: NOW, updatedAt: NOW },
})

const wrong = (t: AccountTexts): FormState => ({
  values: { name: '<ada>', email: 'ada', username: 'a', token: 'x' },
  errors: [
    { field: 'code', text: t.rules.code },
    { field: undefined, text: t.refused.rate_limited },
  ],
})

/** Renders a view, and checks the rules that hold for all pages. */
const render = (view: VNode): string => {
  const html = renderToString(view)
  expect(html).not.toMatch(/undefined|\[object|NaN/)
  expect(html.match(/<h1/g)).toHaveLength(1)
  expect(html.match(/button-primary/g)?.length ?? 0).toBeLessThanOrEqual(1)
  // The Content Security Policy of the pages forbids inline styles, scripts and handlers.
  expect(html).not.toMatch(/ style="|<script| on\w+="/)
  const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
  return html
}

describe.each(LANGUAGES)('in %s', (lang) => {
  const t = accountTexts[lang]
  const list = { t, lang, now: NOW, query: new URLSearchParams() }

  test('sign-in: as a new page, after a reset, for a claim, and refused', () => {
    const plain = render(<SignInView t={t} form={EMPTY_FORM} to="/account" />)
    expectTexts(plain, t.signIn.walletText, t.signIn.noScript)
    for (const note of ['passwordChanged', 'toClaim'] as const) {
      const noted = render(<SignInView t={t} form={EMPTY_FORM} to="/claim" note={note} />)
      expect(noted).toContain(t.signIn[note])
    }
    const refused = render(<SignInView t={t} form={wrong(t)} to="/account" />)
    expectTexts(refused, t.refusedTitle, t.refused.rate_limited, 'value="&lt;ada>"')
  })

  test('register: as a new page, and refused', () => {
    expect(render(<RegisterView t={t} form={EMPTY_FORM} to="/" />)).toContain(t.register.lead)
    const refused = render(<RegisterView t={t} form={wrong(t)} to="/" />)
    expectTexts(refused, t.refusedTitle, 'value="ada"')
  })

  test('verify: with a mail server or without, sent again, and refused', () => {
    const props = { t, to: '/', email: 'ada@example.org', form: EMPTY_FORM }
    const sent = render(<VerifyView {...props} isPrinted={false} />)
    expect(sent).toContain(t.verify.lead('ada@example.org'))
    expect(sent).not.toContain(t.mail.printed)
    const again = render(<VerifyView {...props} isPrinted sentAgain />)
    expectTexts(again, t.mail.printed, t.verify.sentAgain)
    expect(render(<VerifyView {...props} form={wrong(t)} isPrinted />)).toContain(t.rules.code)
  })

  test('reset: asks for the address, then for the code', () => {
    const first = render(<ResetView t={t} form={EMPTY_FORM} isPrinted={false} />)
    expect(first).toContain(t.reset.lead)
    const second = render(<ResetView t={t} form={wrong(t)} email="ada@example.org" isPrinted />)
    expectTexts(second, t.reset.sent('ada@example.org'), t.hints.newPassword, t.rules.code)
  })

  test('claim: without the token, with it, and refused', () => {
    expect(render(<ClaimView t={t} form={EMPTY_FORM} isReady={false} />)).toContain(t.hints.token)
    const ready = render(<ClaimView t={t} form={EMPTY_FORM} isReady />)
    expect(ready).toContain(t.claim.ready)
    expect(ready).not.toContain('name="token"')
    const refused = render(<ClaimView t={t} form={wrong(t)} isReady={false} mayBeYours />)
    expect(refused).toContain(t.claim.alreadyYours)
  })

  test('account: of a person with a mail address or only a wallet, and after each change', () => {
    const props = { t, lang, user: USER, form: EMPTY_FORM, isRecent: true }
    const full = render(
      <AccountView {...props} hasPassword wallets={WALLETS} sessions={SESSIONS} />,
    )
    for (const text of [
      t.account.confirmed,
      t.wallets.unlinkShort,
      t.password.change,
      t.sessions.current,
      t.sessions.unknown,
      t.sessions.endOf('curl/8.14.1'),
      t.sessions.everywhere,
    ]) {
      expect(full).toContain(text)
    }
    const user = { ...USER, email: null, firstName: null }
    const bare = render(
      <AccountView {...props} user={user} hasPassword={false} wallets={[]} sessions={SESSIONS} />,
    )
    expectTexts(bare, t.account.noEmail, t.wallets.empty, t.password.set)
    expect(bare).not.toContain('name="password"')
    const open = { ...USER, emailVerified: false, verified: false }
    const unconfirmed = render(
      <AccountView {...props} user={open} hasPassword wallets={[]} sessions={[]} form={wrong(t)} />,
    )
    expectTexts(unconfirmed, t.account.notConfirmed, t.account.confirm, t.refusedTitle)
    const notes = NOTES.map((note) =>
      render(<AccountView {...props} hasPassword wallets={[]} sessions={[]} note={note} />),
    )
    const texts = [t.account.saved, t.wallets.linked, t.sessions.ended, t.password.changed]
    expect(notes.map((html, index) => html.includes(texts[index] ?? ''))).toEqual([
      true,
      true,
      true,
      true,
    ])
  })

  test.each(DONATION_STATUSES)('donations: one that is %s', (status) => {
    const items = [donationWith(status)]
    const html = render(
      <DonationsView {...list} list={{ items, nextCursor: 'next' }} titles={TITLES} />,
    )
    expectTexts(html, 'href="/c/clean-water"', `href="/d/${ID}6"`)
    const isGone = ['failed', 'expired', 'reversed', 'refunded'].includes(status)
    expect(html.includes('<s>')).toBe(isGone)
    expectTexts(html, 'href="/account/donations?cursor=next"', t.list.older, t.donations.linkWallet)
  })

  test('donations: none', () => {
    const none = { items: [], nextCursor: null }
    const html = render(<DonationsView {...list} list={none} titles={TITLES} />)
    expectTexts(html, t.donations.empty, t.donations.toCampaigns)
  })

  test('open payments: one to claim, one that came too early, none, and refused', () => {
    const props = { ...list, titles: TITLES, form: EMPTY_FORM, hasWallet: true }
    const items = [depositWith(false)]
    const one = render(<DepositsView {...props} list={{ items, nextCursor: null }} />)
    expectTexts(one, `action="/account/deposits/${ID}7/claim"`, t.deposits.lead)
    const early = render(
      <DepositsView {...props} list={{ items: [depositWith(true)], nextCursor: null }} />,
    )
    expect(early).toContain(t.deposits.tooEarly)
    expect(early).not.toContain('/claim"')
    const none = { items: [], nextCursor: null }
    expect(render(<DepositsView {...props} list={none} />)).toContain(t.deposits.empty)
    expect(render(<DepositsView {...props} list={none} hasWallet={false} />)).toContain(
      t.deposits.noWallet,
    )
    expect(render(<DepositsView {...props} list={none} form={wrong(t)} />)).toContain(
      t.refused.rate_limited,
    )
  })

  test('payments with a donation: of the person, of a stranger, and none', () => {
    const props = { ...list, titles: TITLES, form: EMPTY_FORM, hasWallet: true }
    const items = [depositWith(false, `${ID}6`)]
    const mine = render(
      <DepositsView {...props} list={{ items, nextCursor: null }} own={new Set([`${ID}6`])} />,
    )
    expectTexts(mine, t.deposits.claimed.lead, `href="/d/${ID}6"`)
    expect(mine).not.toContain('/claim"')
    const foreign = render(
      <DepositsView {...props} list={{ items, nextCursor: 'next' }} own={new Set()} />,
    )
    expect(foreign).toContain(`action="/account/deposits/${ID}7/claim"`)
    expect(foreign).toContain('href="/account/deposits/claimed?cursor=next"')
    const none = { items: [], nextCursor: null }
    const empty = render(<DepositsView {...props} list={none} own={new Set()} />)
    expectTexts(empty, t.deposits.claimed.empty, t.menu.deposits)
  })

  test('notifications: a new one, an old one, and none', () => {
    const items = [noticeWith('unread', { donationId: `${ID}6`, campaignId: `${ID}5` })]
    const unread = render(<NotificationsView {...list} list={{ items, nextCursor: null }} />)
    expectTexts(unread, t.notifications.unread, t.notifications.markAll, t.notifications.donation)
    const old = [noticeWith('read', { campaignId: `${ID}5` })]
    const read = render(<NotificationsView {...list} list={{ items: old, nextCursor: null }} />)
    expect(read).not.toContain(t.notifications.markAll)
    expect(read).toContain(t.notifications.campaign)
    const none = { items: [], nextCursor: null }
    expect(render(<NotificationsView {...list} list={none} />)).toContain(t.notifications.empty)
  })
})
