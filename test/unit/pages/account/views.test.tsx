import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { describe, expect, test } from 'vitest'
import type { UserView } from '../../../../src/domain/account/index.ts'
import { DONATION_STATUSES } from '../../../../src/kernel/statuses.ts'
import { AccountView, NOTES } from '../../../../src/pages/account/own/account-view.tsx'
import { DepositsView } from '../../../../src/pages/account/own/deposits-view.tsx'
import { DonationsView } from '../../../../src/pages/account/own/donations-page.tsx'
import { EmailView } from '../../../../src/pages/account/own/email-pages.tsx'
import { NotificationsView } from '../../../../src/pages/account/own/list-pages.tsx'
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
const TOTALS = { given: [AMOUNT, { value: '1', currency: 'ETH' }], refunded: [AMOUNT], counts: [] }

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
  const history = {
    ...{ t, lang, titles: TITLES, claimed: null, nextCursor: 'next', totals: TOTALS },
    history: [2026, 2025, null].map((year) => ({ year, totals: TOTALS })),
    ...{ year: 2026, query: new URLSearchParams({ year: '2026' }) },
  }

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

  test('claim: asks for the link, and refused', () => {
    expect(render(<ClaimView t={t} form={EMPTY_FORM} />)).toContain(t.hints.token)
    const refused = render(<ClaimView t={t} form={wrong(t)} mayBeYours />)
    expect(refused).toContain(t.claim.alreadyYours)
  })

  test('a new mail address: with a password, without one, and the code from the mail', () => {
    const props = { t, form: EMPTY_FORM, old: 'ada@example.org', hasPassword: true, mayAsk: true }
    const first = render(<EmailView {...props} isPrinted sentTo={undefined} />)
    expectTexts(first, t.email.lead, t.email.now('ada@example.org'), t.password.current)
    expect(first).not.toContain('name="code"')
    const bare = { ...props, old: null, hasPassword: false, isPrinted: false }
    const signed = render(<EmailView {...bare} sentTo={undefined} />)
    expect(signed).toContain('name="email"')
    expect(signed).not.toContain('name="password"')
    const old = render(<EmailView {...bare} mayAsk={false} sentTo={undefined} />)
    expectTexts(old, t.refused.sign_in_again, 'href="/sign-in?again&amp;to=/account/email"')
    expect(old).not.toContain('<form')
    const sent = render(<EmailView {...props} isPrinted sentTo="new@example.org" />)
    expectTexts(sent, t.email.sent('new@example.org'), t.mail.printed, 'name="code"')
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
    const changed = [t.password.changed, t.email.changed]
    const texts = [t.account.saved, t.wallets.linked, t.sessions.ended, ...changed]
    expect(notes.map((html, index) => html.includes(texts[index] ?? ''))).toEqual(
      texts.map(() => true),
    )
  })

  test.each(DONATION_STATUSES)('donations: one that is %s', (status) => {
    const html = render(<DonationsView {...history} items={[donationWith(status)]} />)
    expectTexts(html, 'href="/c/clean-water"', `href="/d/${ID}6"`)
    const hasReceipt = ['completed', 'partly_refunded', 'refunded'].includes(status)
    expect(html.includes(`href="/d/${ID}6/receipt"`)).toBe(hasReceipt)
    const isGone = ['failed', 'expired', 'reversed', 'refunded'].includes(status)
    expect(html.includes('<s>')).toBe(isGone)
    expectTexts(html, 'href="/account/donations?year=2026&amp;cursor=next"', t.list.older)
    expect(html).toContain(t.donations.linkWallet)
  })

  test('donations: the years, their sums, and the donation that was just claimed', () => {
    const claimed = donationWith('completed')
    const html = render(<DonationsView {...history} items={[]} claimed={claimed} />)
    expectTexts(html, t.donations.asGuest, `href="/d/${ID}6"`)
    expectTexts(html, 'href="/account/donations?year=2026" aria-current="page"', t.donations.all)
    expectTexts(html, 'href="/account/donations.csv?year=2026"', t.donations.csv('2026'))
    expectTexts(html, t.donations.given, t.donations.refunded, t.donations.counts)
    const kept = { ...TOTALS, refunded: [] }
    expect(render(<DonationsView {...history} items={[]} totals={kept} />)).not.toContain(
      t.donations.refunded,
    )
  })

  test('donations: none', () => {
    const none = { ...history, history: [], year: null, totals: undefined, items: [] }
    const html = render(<DonationsView {...none} />)
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
