import { Banner } from '../../components/banner.tsx'
import { Button } from '../../components/button.tsx'
import { FormPage, Input, pathWithReturn, ReturnTo } from '../form-parts.tsx'
import type { FormState } from '../refusals.ts'
import { SignPart } from '../sign-part.tsx'
import type { AccountTexts } from '../texts/index.ts'

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
        <Button>{t.signIn.submit}</Button>
      </form>
      <ul class="links">
        <li>
          <a href="/reset">{t.signIn.forgotten}</a>
        </li>
        <li>
          <a href={pathWithReturn('/register', to)}>{t.signIn.register}</a>
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
