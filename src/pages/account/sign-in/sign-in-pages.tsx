import {
  authenticateUser,
  findAccount,
  hashNewPassword,
  Login,
  openSession,
  ResetPassword,
  requestCode,
  resetPassword,
  signInWithWallet,
} from '../../../domain/account/index.ts'
import { challengeSignIn, checkSigned, SignedChallenge } from '../../../domain/people/index.ts'
import { wrongCode } from '../../../edge/request/account-secret.ts'
import { parseBody } from '../../../edge/request/validate.ts'
import { Button } from '../../components/form.tsx'
import { Banner } from '../../components/states.tsx'
import { get, type PageDeps, post, seeOther, show, type Visit } from '../../page.ts'
import { ownPath, pathWithReturn } from '../../session/own-path.ts'
import { fieldOf, type PageSessions } from '../../session/page-session.ts'
import { type AccountTexts, accountTexts } from '../../texts/account/index.ts'
import { FormPage, Input, PrintedMail, ReturnTo, showsMails } from '../form-parts.tsx'
import { EMPTY_FORM, type FormState, type RefusedForm, refusedForm } from '../refusals.ts'
import { challengeAnswer, SignPart, walletOf } from '../sign-part.tsx'
import { KEPT } from './claim-pages.tsx'

/** The pages to sign in with a password or a wallet, and to sign out. */
export const signInPages = ({ credentials }: PageDeps, sessions: PageSessions) => [
  get('/sign-in', 'sign-in', async (visit) => {
    const to = ownPath(visit.query.get('to'))
    return visit.caller && !visit.query.has('again') ? seeOther(to) : showSignIn(visit, to)
  }),
  post('/sign-in', 'sign-in', async (visit) => {
    const { ctx, limits } = visit
    const to = ownPath(visit.form.get('to'))
    const name = fieldOf(visit, 'name')
    try {
      const body = parseBody(Login, { username: name, password: fieldOf(visit, 'password') })
      const owner = (await findAccount(ctx, body.username))?.id
      const checked = await limits.countAttempt(
        { secret: 'password', account: body.username, owner },
        (isSpent) => authenticateUser(ctx, credentials, body, isSpent),
      )
      const session = await openSession(ctx, credentials, checked, sessions.clientOf(visit))
      return sessions.enter(visit, session, to)
    } catch (error) {
      const refused = refusedForm(error, visit.lang, { name }, { username: 'name' })
      return showSignIn(visit, to, refused)
    }
  }),
  post('/sign-in/wallet/challenge', 'sign-in-challenge', async ({ ctx, form }) =>
    challengeAnswer(await challengeSignIn(ctx, walletOf(ctx, form))),
  ),
  post('/sign-in/wallet', 'sign-in-wallet', async (visit) => {
    const { ctx, limits } = visit
    const to = ownPath(visit.form.get('to'))
    try {
      const signed = { nonce: fieldOf(visit, 'nonce'), signature: fieldOf(visit, 'signature') }
      const checked = await checkSigned(ctx, parseBody(SignedChallenge, signed))
      const client = sessions.clientOf(visit)
      const { countNew } = limits
      const { session } = await signInWithWallet(ctx, credentials, checked, client, countNew)
      return sessions.enter(visit, session, to)
    } catch (error) {
      return showSignIn(visit, to, refusedForm(error, visit.lang))
    }
  }),
  post('/sign-out', 'sign-out', sessions.leave),
]

const showSignIn = (
  { lang, query }: Visit,
  to: string,
  { form = EMPTY_FORM, status = 200 }: Partial<RefusedForm> = {},
) => {
  const t = accountTexts[lang]
  const isChanged = query.get('note') === 'password'
  const note = isChanged ? 'passwordChanged' : to === KEPT ? 'toClaim' : undefined
  return show({
    title: t.signIn.title,
    body: <SignInView t={t} form={form} to={to} note={note} />,
    status,
    scripts: ['sign'],
  })
}

type Props = {
  t: AccountTexts
  form: FormState
  to: string
  /** Why the person is here, if it needs a sentence. */
  note?: 'passwordChanged' | 'toClaim' | undefined
}

/** Signs in with a password or with a wallet. */
export const SignInView = ({ t, form, to, note }: Props) => (
  <FormPage title={t.signIn.title} t={t} form={form}>
    {note && <Banner tone="info">{t.signIn[note]}</Banner>}
    <section class="stack" aria-labelledby="with-mail">
      <h2 id="with-mail">{t.signIn.withMail}</h2>
      <form class="form" method="post" action="/sign-in">
        <ReturnTo to={to} />
        <Input name="name" t={t} form={form} />
        <Input name="password" t={t} form={form} />
        <Button>{t.signIn.title}</Button>
      </form>
      <ul class="links">
        <li>
          <a href="/reset">{t.signIn.forgotten}</a>
        </li>
        <li>
          <a href={pathWithReturn('/register', to)}>{t.register.title}</a>
        </li>
      </ul>
    </section>
    <section class="stack" aria-labelledby="with-wallet">
      <h2 id="with-wallet">{t.signIn.withWallet}</h2>
      <p>{t.signIn.walletText}</p>
      <SignPart
        challenge="/sign-in/wallet/challenge"
        action="/sign-in/wallet"
        to={to}
        texts={t.signInWallet}
        noScript={t.signIn.noScript}
      />
    </section>
  </FormPage>
)

/** The pages to set a new password with a mailed code. */
export const resetPages = ({ credentials }: PageDeps, sessions: PageSessions) => [
  get('/reset', 'reset', async (visit) => showReset(visit)),
  post('/reset', 'reset', async (visit) => {
    const values = { email: fieldOf(visit, 'email') }
    try {
      const { email } = parseBody(ResetPassword, values)
      await requestCode(visit.ctx, credentials, 'reset_password', email)
      return showReset(visit, { email })
    } catch (error) {
      return showReset(visit, refusedForm(error, visit.lang, values))
    }
  }),
  post('/reset/password', 'reset-password', async (visit) => {
    const { ctx, limits } = visit
    const email = fieldOf(visit, 'email')
    try {
      const given = { email, code: fieldOf(visit, 'code'), password: fieldOf(visit, 'newPassword') }
      const { code = '', password = '', ...account } = parseBody(ResetPassword, given)
      // Hashes the password before the code check, so that the time does not reveal a right code.
      const user = { ...account, username: '', password }
      const passwordHash = await hashNewPassword(credentials, user)
      await limits.countAttempt({ secret: 'code', account: account.email }, async () => {
        const input = { ...account, code, passwordHash }
        const changed = await resetPassword(ctx, credentials, input)
        if (!changed) throw wrongCode()
        sessions.forget(changed.endedSessions)
      })
      return seeOther('/sign-in?note=password')
    } catch (error) {
      const refused = refusedForm(error, visit.lang, {}, { password: 'newPassword' })
      return showReset(visit, { email, ...refused })
    }
  }),
]

type Shown = Partial<RefusedForm> & { email?: string }

const showReset = (
  { ctx, lang }: Visit,
  { email, form = EMPTY_FORM, status = 200 }: Shown = {},
) => {
  const t = accountTexts[lang]
  return show({
    title: t.reset.title,
    body: <ResetView t={t} form={form} email={email} isPrinted={showsMails(ctx)} />,
    status,
  })
}

type ResetViewProps = {
  t: AccountTexts
  form: FormState
  /** The address to which the code goes; undefined before the person has entered it. */
  email?: string | undefined
  isPrinted: boolean
}

/** Sets a new password: first the address, then the code from the mail and the password. */
export const ResetView = ({ t, form, email, isPrinted }: ResetViewProps) => (
  <FormPage title={t.reset.title} t={t} form={form}>
    {email === undefined ? (
      <>
        <p class="lead">{t.reset.lead}</p>
        <form class="form" method="post" action="/reset">
          <Input name="email" t={t} form={form} />
          <Button>{t.reset.send}</Button>
        </form>
      </>
    ) : (
      <>
        <p class="lead">{t.reset.sent(email)}</p>
        {isPrinted && <PrintedMail email={email} t={t} />}
        <form class="form" method="post" action="/reset/password">
          <input type="hidden" name="email" value={email} autocomplete="username" />
          <Input name="code" t={t} form={form} />
          <Input name="newPassword" t={t} form={form} />
          <Button>{t.reset.submit}</Button>
        </form>
      </>
    )}
  </FormPage>
)
