import { z } from 'zod'
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
import { PageQuery, PublicName } from '../../../domain/shared/index.ts'
import { parseBody } from '../../../edge/request/validate.ts'
import { type PageDeps, seeOther, show } from '../../page.ts'
import { keepLanguage } from '../../session/cookie.ts'
import {
  fieldOf,
  getAsUser,
  idOf,
  NO_STORE,
  type PageSessions,
  postAsUser,
  postAsVerified,
  type UserVisit,
} from '../../session/page-session.ts'
import { accountTexts } from '../../texts/account/index.ts'
import { EMPTY_FORM, type FormState, type RefusedForm, refusedForm } from '../refusals.ts'
import { challengeAnswer, walletOf } from '../sign-part.tsx'
import { AccountView, NOTES } from './account-view.tsx'
import { countGuess } from './count-guess.ts'

const HOME = '/account'
const Named = z.strictObject({ publicName: PublicName })
const MAX_SESSIONS = 50

/** The page of the account: profile, password and sessions. */
export const accountOwnPages = ({ credentials }: PageDeps, sessions: PageSessions) => [
  getAsUser(HOME, 'account', showAccount),
  postAsVerified(HOME, 'account', HOME, async (visit) => {
    const field = (name: string) => fieldOf(visit, name).trim()
    const values = {
      username: field('username'),
      firstName: field('firstName'),
      lastName: field('lastName'),
      lang: field('lang'),
      publicName: field('publicName'),
    }
    try {
      const { publicName, ...names } = values
      const { firstName, lastName } = names
      const named = publicName === '' ? null : parseBody(Named, { publicName }).publicName
      const { profile } = await getUser(visit.ctx, visit.caller.userId)
      const input = {
        ...{ ...names, firstName: firstName || null, lastName: lastName || null },
        // Only the form of a verifier has this field.
        ...(visit.form.has('publicName') && { profile: { ...profile, publicName: named } }),
      }
      const { lang } = await changeAccount(visit.ctx, parseBody(ChangeAccount, input))
      return seeOther(`${HOME}?note=saved`, keepLanguage(lang, visit.ctx.settings.publicUrl))
    } catch (error) {
      return refuse(visit, error, values)
    }
  }),
  postAsVerified('/account/password', 'account-password', HOME, async (visit) => {
    const { ctx } = visit
    try {
      const { email, username, passwordHash } = await ownAccount(ctx)
      const given = passwordHash === null ? {} : { password: fieldOf(visit, 'password') }
      const body = { ...given, newPassword: fieldOf(visit, 'newPassword') }
      const { password, newPassword } = parseBody(ChangePassword, body)
      const confirm = () => confirmCaller(ctx, credentials, password)
      const confirmed = await countGuess(visit, { password }, confirm)
      const wish = { email: email ?? '', username, password: newPassword }
      const hash = await hashNewPassword(credentials, wish, 'newPassword')
      const { endedSessions } = await changePassword(ctx, confirmed, hash)
      sessions.forget(endedSessions)
      return seeOther(`${HOME}?note=password`)
    } catch (error) {
      return refuse(visit, error)
    }
  }),
  postAsUser('/account/sessions/:id/end', 'account-session-end', HOME, async (visit) => {
    const id = idOf(visit)
    if (await endSession(visit.ctx, id)) sessions.forget([id])
    return seeOther(`${HOME}?note=ended#sessions`)
  }),
  postAsUser('/account/sign-out-everywhere', 'account-sign-out', HOME, async (visit) => {
    sessions.forget(await endOtherSessions(visit.ctx))
    return sessions.leave(visit)
  }),
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
  postAsVerified('/account/wallets/challenge', 'account-wallet-challenge', HOME, async (visit) => {
    const { ctx, form } = visit
    return challengeAnswer(await challengeWallet(ctx, walletOf(ctx, form)))
  }),
  postAsVerified('/account/wallets', 'account-wallet-link', HOME, async (visit) => {
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
  }),
  postAsVerified('/account/wallets/:id/unlink', 'account-wallet-unlink', HOME, async (visit) => {
    try {
      await unlinkWallet(visit.ctx, idOf(visit))
      return seeOther(`${HOME}?note=saved#wallets`)
    } catch (error) {
      return refuse(visit, error)
    }
  }),
]
