import { Button } from '../../components/button.tsx'
import { FormPage, Input, PrintedMail } from '../form-parts.tsx'
import type { FormState } from '../refusals.ts'
import type { AccountTexts } from '../texts/index.ts'

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
