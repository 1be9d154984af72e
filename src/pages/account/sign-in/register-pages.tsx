import {
  hashNewPassword,
  openSession,
  ownAccount,
  RegisterUser,
  RequestVerification,
  registerUser,
  requestCode,
  verifyEmail,
} from '../../../domain/account/index.ts'
import { wrongCode } from '../../../edge/request/account-secret.ts'
import { parseBody } from '../../../edge/request/validate.ts'
import { Button } from '../../components/form.tsx'
import { Banner } from '../../components/states.tsx'
import {
  get,
  type PageAnswer,
  type PageDeps,
  post,
  seeOther,
  show,
  type Visit,
} from '../../page.ts'
import { ownPath, pathWithReturn } from '../../session/own-path.ts'
import {
  fieldOf,
  getAsUser,
  NO_STORE,
  type PageSessions,
  postAsUser,
  type UserVisit,
} from '../../session/page-session.ts'
import { type AccountTexts, accountTexts } from '../../texts/account/index.ts'
import { FormPage, Input, PrintedMail, ReturnTo, showsMails } from '../form-parts.tsx'
import { EMPTY_FORM, type FormState, type RefusedForm, refusedForm } from '../refusals.ts'

/** The pages to make an account with a mail address, and to confirm the address. */
export const registerPages = ({ credentials }: PageDeps, sessions: PageSessions) => [
  get('/register', 'register', async (visit) =>
    showRegister(visit, ownPath(visit.query.get('to'))),
  ),
  post('/register', 'register', async (visit) => {
    const { ctx, lang, limits } = visit
    const to = ownPath(visit.form.get('to'))
    const values = { email: fieldOf(visit, 'email'), username: fieldOf(visit, 'username') }
    try {
      const input = { ...values, password: fieldOf(visit, 'newPassword'), lang }
      const { password, ...user } = parseBody(RegisterUser, input)
      const passwordHash = await hashNewPassword(credentials, { ...user, password })
      const made = { ...user, passwordHash }
      const { userId } = await registerUser(ctx, credentials, made, limits.countNew)
      const client = sessions.clientOf(visit)
      const session = await openSession(ctx, credentials, { userId, passwordHash }, client)
      return sessions.enter(visit, session, to)
    } catch (error) {
      const refused = refusedForm(error, lang, values, { password: 'newPassword' })
      return showRegister(visit, to, refused)
    }
  }),
  getAsUser('/verify', 'verify', (visit) => showVerify(visit, ownPath(visit.query.get('to')))),
  postAsUser('/verify', 'verify', '/verify', async (visit) => {
    const { ctx, limits } = visit
    const to = ownPath(visit.form.get('to'))
    const { email } = await ownAccount(ctx)
    if (email === null) return seeOther(to)
    try {
      const { code = '' } = parseBody(RequestVerification, {
        email,
        code: fieldOf(visit, 'code'),
      })
      await limits.countAttempt({ secret: 'code', account: email }, async () => {
        if (!(await verifyEmail(ctx, credentials, { email, code }))) throw wrongCode()
      })
      return seeOther(to)
    } catch (error) {
      return showVerify(visit, to, refusedForm(error, visit.lang))
    }
  }),
  postAsUser('/verify/again', 'verify-again', '/verify', async ({ ctx, form }) => {
    const { email } = await ownAccount(ctx)
    if (email !== null) await requestCode(ctx, credentials, 'verify_email', email)
    return seeOther(`${pathWithReturn('/verify', ownPath(form.get('to')))}&note=sent`)
  }),
]

const showRegister = (
  { lang }: Visit,
  to: string,
  { form = EMPTY_FORM, status = 200 }: Partial<RefusedForm> = {},
): PageAnswer => {
  const t = accountTexts[lang]
  const body = <RegisterView t={t} form={form} to={to} />
  return show({ title: t.register.title, body, status })
}

const showVerify = async (
  { ctx, caller, lang, query }: UserVisit,
  to: string,
  { form = EMPTY_FORM, status = 200 }: Partial<RefusedForm> = {},
): Promise<PageAnswer> => {
  const { email } = await ownAccount(ctx)
  if (email === null || caller.verified) return seeOther(to)
  const t = accountTexts[lang]
  return show({
    title: t.verify.title,
    body: (
      <VerifyView
        t={t}
        form={form}
        to={to}
        email={email}
        isPrinted={showsMails(ctx)}
        sentAgain={query.get('note') === 'sent'}
      />
    ),
    status,
    headers: NO_STORE,
  })
}

type Props = { t: AccountTexts; form: FormState; to: string }

/** Makes an account with a mail address and a password. */
export const RegisterView = ({ t, form, to }: Props) => (
  <FormPage title={t.register.title} t={t} form={form}>
    <p class="lead">{t.register.lead}</p>
    <form class="form" method="post" action="/register">
      <ReturnTo to={to} />
      <Input name="email" t={t} form={form} />
      <Input name="username" t={t} form={form} />
      <Input name="newPassword" t={t} form={form} label={t.labels.password} />
      <Button>{t.register.submit}</Button>
    </form>
    <p>
      <a href={pathWithReturn('/sign-in', to)}>{t.register.haveAccount}</a>
    </p>
  </FormPage>
)

type VerifyProps = Props & {
  email: string
  /** Whether mails are printed, and a page of the sandbox shows them. */
  isPrinted: boolean
  /** Whether the code has just been sent again. */
  sentAgain?: boolean
}

/** Confirms the mail address of the signed-in person with the code from the mail. */
export const VerifyView = ({ t, form, to, email, isPrinted, sentAgain = false }: VerifyProps) => (
  <FormPage title={t.verify.title} t={t} form={form}>
    {sentAgain && <Banner tone="info">{t.verify.sentAgain}</Banner>}
    <p class="lead">{t.verify.lead(email)}</p>
    {isPrinted && <PrintedMail email={email} t={t} />}
    <form class="form" method="post" action="/verify">
      <ReturnTo to={to} />
      <Input name="code" t={t} form={form} />
      <Button>{t.verify.submit}</Button>
    </form>
    <form method="post" action="/verify/again">
      <ReturnTo to={to} />
      <Button kind="plain">{t.verify.again}</Button>
    </form>
  </FormPage>
)
