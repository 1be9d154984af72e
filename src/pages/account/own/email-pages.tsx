import {
  ChangeEmail,
  changeEmail,
  confirmCaller,
  hasRecentSignIn,
  ownAccount,
  requestEmailChange,
} from '../../../domain/account/index.ts'
import { wrongCode } from '../../../edge/request/account-secret.ts'
import { parseBody } from '../../../edge/request/validate.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { Button } from '../../components/form.tsx'
import { type PageDeps, seeOther, show } from '../../page.ts'
import { getAsUser, NO_STORE, postAsVerified, type UserVisit } from '../../session/page-session.ts'
import { type AccountTexts, accountTexts } from '../../texts/account/index.ts'
import { FormPage, Input, PrintedMail, showsMails } from '../form-parts.tsx'
import { EMPTY_FORM, type FormState, type RefusedForm, refusedForm } from '../refusals.ts'
import { countGuess } from './count-guess.ts'

const PATH = '/account/email'

/** The page to change the mail address: address and password, then the code from the mail. */
export const emailPages = ({ credentials }: PageDeps) => [
  getAsUser(PATH, 'account-email', (visit) => showEmail(visit)),
  postAsVerified(PATH, 'account-email', PATH, async (visit) => {
    const { ctx } = visit
    const { email = '', ...secret } = Object.fromEntries(visit.form)
    try {
      const body = parseBody(ChangeEmail, { email, ...secret })
      const { code, password } = body
      return await countGuess(visit, { code, password }, async () => {
        if (code === undefined) {
          const confirmed = await confirmCaller(ctx, credentials, password)
          await requestEmailChange(ctx, credentials, confirmed, body.email)
          return showEmail(visit, { sentTo: body.email })
        }
        if (!(await changeEmail(ctx, credentials, { email: body.email, code }))) throw wrongCode()
        return seeOther('/account?note=email')
      })
    } catch (error) {
      const sentTo = secret.code === undefined ? undefined : email
      return showEmail(visit, { sentTo, ...refused(error, visit, { email }) })
    }
  }),
]

/** The form to show again. Only here a conflict means that the address is the same. */
const refused = (error: unknown, { lang }: UserVisit, values: FormState['values']): RefusedForm => {
  const isSame = error instanceof DomainError && error.code === 'conflict'
  const errors = [{ field: 'email', text: accountTexts[lang].email.same }]
  return isSame ? { form: { values, errors }, status: 409 } : refusedForm(error, lang, values)
}

type Shown = Partial<RefusedForm> & { sentTo?: string | undefined }

const showEmail = async (
  { ctx, lang }: UserVisit,
  { sentTo, form = EMPTY_FORM, status = 200 }: Shown = {},
) => {
  const t = accountTexts[lang]
  const { email: old, passwordHash } = await ownAccount(ctx)
  const hasPassword = passwordHash !== null
  const mayAsk = hasPassword || (await hasRecentSignIn(ctx))
  const props = { t, form, old, hasPassword, mayAsk, sentTo, isPrinted: showsMails(ctx) }
  return show({ title: t.email.title, body: <EmailView {...props} />, status, headers: NO_STORE })
}

type Props = {
  t: AccountTexts
  form: FormState
  /** The address now; null for an account that a wallet made. */
  old: string | null
  hasPassword: boolean
  /** False if an account without a password must sign in again first. */
  mayAsk: boolean
  isPrinted: boolean
  /** The new address, to which the code goes; undefined before the person has entered it. */
  sentTo: string | undefined
}

/** Changes the mail address of the signed-in person. */
export const EmailView = ({ t, form, old, hasPassword, mayAsk, isPrinted, sentTo }: Props) => (
  <FormPage title={t.email.title} t={t} form={form}>
    <p class="lead">{sentTo === undefined ? t.email.lead : t.email.sent(sentTo)}</p>
    {sentTo !== undefined && isPrinted && <PrintedMail email={sentTo} t={t} />}
    {sentTo === undefined && !mayAsk ? (
      <p>
        {t.refused.sign_in_again} <a href={`/sign-in?again&to=${PATH}`}>{t.signIn.title}</a>
      </p>
    ) : (
      <form class="form" method="post" action={PATH}>
        {sentTo === undefined ? (
          <>
            {old !== null && <p>{t.email.now(old)}</p>}
            <Input name="email" t={t} form={form} label={t.email.next} />
            {hasPassword && <Input name="password" t={t} form={form} label={t.password.current} />}
          </>
        ) : (
          <>
            <input type="hidden" name="email" value={sentTo} />
            <Input name="code" t={t} form={form} />
          </>
        )}
        <Button>{sentTo === undefined ? t.reset.send : t.email.submit}</Button>
      </form>
    )}
  </FormPage>
)
