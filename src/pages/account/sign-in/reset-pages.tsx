import {
  hashNewPassword,
  ResetPassword,
  requestCode,
  resetPassword,
} from '../../../domain/account/index.ts'
import { wrongCode } from '../../../edge/request/account-secret.ts'
import { parseBody } from '../../../edge/request/validate.ts'
import { Button } from '../../components/form.tsx'
import { get, type PageDeps, post, seeOther, show, type Visit } from '../../page.ts'
import { fieldOf, type PageSessions } from '../../session/page-session.ts'
import { type AccountTexts, accountTexts } from '../../texts/account/index.ts'
import { FormPage, Input, PrintedMail, showsMails } from '../form-parts.tsx'
import { EMPTY_FORM, type FormState, type RefusedForm, refusedForm } from '../refusals.ts'

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

type Props = {
  t: AccountTexts
  form: FormState
  /** The address to which the code goes; undefined before the person has entered it. */
  email?: string | undefined
  isPrinted: boolean
}

/** Sets a new password: first the address, then the code from the mail and the password. */
export const ResetView = ({ t, form, email, isPrinted }: Props) => (
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
