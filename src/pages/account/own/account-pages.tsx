import {
  ChangeAccount,
  ChangePassword,
  changeAccount,
  changePassword,
  confirmCaller,
  endOtherSessions,
  endSession,
  getUser,
  hashNewPassword,
  hasRecentSignIn,
  linkWallet,
  listSessions,
  ownAccount,
} from '../../../domain/account/index.ts'
import {
  challengeWallet,
  checkSigned,
  listWallets,
  SignedChallenge,
  unlinkWallet,
} from '../../../domain/people/index.ts'
import { PageQuery } from '../../../domain/shared/index.ts'
import { guessOf } from '../../../edge/request/account-secret.ts'
import { parseBody } from '../../../edge/request/validate.ts'
import { get, type PageDeps, post, seeOther, show } from '../../page.ts'
import { keepLanguage } from '../../session/cookie.ts'
import {
  fieldOf,
  forUser,
  forVerified,
  idOf,
  NO_STORE,
  type PageSessions,
  type UserVisit,
} from '../../session/page-session.ts'
import { accountTexts } from '../../texts/account/index.ts'
import { EMPTY_FORM, type FormState, type RefusedForm, refusedForm } from '../refusals.ts'
import { challengeAnswer, walletOf } from '../sign-part.tsx'
import { AccountView, NOTES } from './account-view.tsx'

const HOME = '/account'
const MAX_SESSIONS = 50

/** The page of the account: profile, password and sessions. */
export const accountOwnPages = ({ credentials }: PageDeps, sessions: PageSessions) => [
  get(HOME, 'account', forUser(showAccount)),
  post(
    HOME,
    'account',
    forVerified(async (visit) => {
      const field = (name: string) => fieldOf(visit, name).trim()
      const values = {
        username: field('username'),
        firstName: field('firstName'),
        lastName: field('lastName'),
        lang: field('lang'),
      }
      try {
        const { firstName, lastName } = values
        const input = { ...values, firstName: firstName || null, lastName: lastName || null }
        const { lang } = await changeAccount(visit.ctx, parseBody(ChangeAccount, input))
        return seeOther(`${HOME}?note=saved`, keepLanguage(lang, visit.ctx.settings.publicUrl))
      } catch (error) {
        return refuse(visit, error, values)
      }
    }, HOME),
  ),
  post(
    '/account/password',
    'account-password',
    forVerified(async (visit) => {
      const { ctx, limits } = visit
      try {
        const { email, username, passwordHash } = await ownAccount(ctx)
        const given = passwordHash === null ? {} : { password: fieldOf(visit, 'password') }
        const body = { ...given, newPassword: fieldOf(visit, 'newPassword') }
        const { password, newPassword } = parseBody(ChangePassword, body)
        const attempt = await guessOf(ctx, { password })
        const confirm = () => confirmCaller(ctx, credentials, password)
        const confirmed = await (attempt ? limits.countAttempt(attempt, confirm) : confirm())
        const wish = { email: email ?? '', username, password: newPassword }
        const hash = await hashNewPassword(credentials, wish, 'newPassword')
        const { endedSessions } = await changePassword(ctx, confirmed, hash)
        sessions.forget(endedSessions)
        return seeOther(`${HOME}?note=password`)
      } catch (error) {
        return refuse(visit, error)
      }
    }, HOME),
  ),
  post(
    '/account/sessions/:id/end',
    'account-session-end',
    forUser<{ id: string }>(async (visit) => {
      const id = idOf(visit)
      if (await endSession(visit.ctx, id)) sessions.forget([id])
      return seeOther(`${HOME}?note=ended#sessions`)
    }, HOME),
  ),
  post(
    '/account/sign-out-everywhere',
    'account-sign-out',
    forUser(async (visit) => {
      sessions.forget(await endOtherSessions(visit.ctx))
      return sessions.leave(visit)
    }, HOME),
  ),
]

/** Shows the account again with the reason why a form was refused. */
const refuse = (visit: UserVisit, error: unknown, values: FormState['values'] = {}) =>
  showAccount(visit, refusedForm(error, visit.lang, values))

const showAccount = async (
  { ctx, caller, lang, query }: UserVisit,
  { form = EMPTY_FORM, status = 200 }: Partial<RefusedForm> = {},
) => {
  const t = accountTexts[lang]
  const [user, { passwordHash }, isRecent, wallets, { items }] = await Promise.all([
    getUser(ctx, caller.userId),
    ownAccount(ctx),
    hasRecentSignIn(ctx),
    listWallets(ctx),
    listSessions(ctx, PageQuery.parse({ limit: MAX_SESSIONS })),
  ])
  const props = { t, lang, user, wallets, form, isRecent, hasPassword: passwordHash !== null }
  const note = NOTES.find((name) => name === query.get('note'))
  return show({
    title: t.menu.label,
    body: <AccountView {...props} sessions={items} note={note} />,
    status,
    scripts: ['sign'],
    headers: NO_STORE,
  })
}

/** The forms that link wallets to the account of the signed-in person, and unlink them. */
export const walletPages = ({ credentials }: PageDeps) => [
  post(
    '/account/wallets/challenge',
    'account-wallet-challenge',
    forVerified(
      async ({ ctx, form }) => challengeAnswer(await challengeWallet(ctx, walletOf(ctx, form))),
      HOME,
    ),
  ),
  post(
    '/account/wallets',
    'account-wallet-link',
    forVerified(async (visit) => {
      try {
        const { ctx, caller } = visit
        const signed = { nonce: fieldOf(visit, 'nonce'), signature: fieldOf(visit, 'signature') }
        const checked = await checkSigned(ctx, parseBody(SignedChallenge, signed), caller.userId)
        const confirmed = await confirmCaller(ctx, credentials, undefined, { orRecent: true })
        await linkWallet(ctx, confirmed, checked)
        return seeOther(`${HOME}?note=linked#wallets`)
      } catch (error) {
        return refuse(visit, error)
      }
    }, HOME),
  ),
  post(
    '/account/wallets/:id/unlink',
    'account-wallet-unlink',
    forVerified<{ id: string }>(async (visit) => {
      try {
        await unlinkWallet(visit.ctx, idOf(visit))
        return seeOther(`${HOME}?note=saved#wallets`)
      } catch (error) {
        return refuse(visit, error)
      }
    }, HOME),
  ),
]
