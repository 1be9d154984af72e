import { Banner } from '../../components/banner.tsx'
import { Button } from '../../components/button.tsx'
import { FormPage, Input, PrintedMail, ReturnTo } from '../form-parts.tsx'
import type { FormState } from '../refusals.ts'
import type { AccountTexts } from '../texts/index.ts'

type Props = {
  t: AccountTexts
  form: FormState
  to: string
  email: string
  /** Whether mails are printed, and a page of the sandbox shows them. */
  isPrinted: boolean
  /** Whether the code has just been sent again. */
  sentAgain?: boolean
}

/** Confirms the mail address of the signed-in person with the code from the mail. */
export const VerifyView = ({ t, form, to, email, isPrinted, sentAgain = false }: Props) => (
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
