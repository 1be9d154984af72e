import {
  authenticateUser,
  findAccount,
  Login,
  openSession,
  signInWithWallet,
} from '../../../domain/account/index.ts'
import { challengeSignIn, checkSigned, SignedChallenge } from '../../../domain/people/index.ts'
import { parseBody } from '../../../edge/request/validate.ts'
import { Button } from '../../components/form.tsx'
import { Banner } from '../../components/states.tsx'
import { get, type PageDeps, post, seeOther, show, type Visit } from '../../page.ts'
import { ownPath, pathWithReturn } from '../../session/own-path.ts'
import { fieldOf, type PageSessions } from '../../session/page-session.ts'
import { type AccountTexts, accountTexts } from '../../texts/account/index.ts'
import { FormPage, Input, ReturnTo } from '../form-parts.tsx'
import { EMPTY_FORM, type FormState, type RefusedForm, refusedForm } from '../refusals.ts'
import { challengeAnswer, SignPart, walletOf } from '../sign-part.tsx'

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
  const note = isChanged ? 'passwordChanged' : to === '/claim' ? 'toClaim' : undefined
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
