import { Button } from '../../components/button.tsx'
import { FormPage, Input, pathWithReturn, ReturnTo } from '../form-parts.tsx'
import type { FormState } from '../refusals.ts'
import type { AccountTexts } from '../texts/index.ts'

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
