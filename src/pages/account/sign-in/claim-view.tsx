import { Button } from '../../components/button.tsx'
import { FormPage, Input } from '../form-parts.tsx'
import type { FormState } from '../refusals.ts'
import type { AccountTexts } from '../texts/index.ts'

type Props = {
  t: AccountTexts
  form: FormState
  /** Whether the browser has already given us the token of the link. */
  isReady: boolean
  /** Whether the link did not work, and the donation may be the person's already. */
  mayBeYours?: boolean
}

/** Moves a guest's donation to the account of the signed-in person, by the link of the guest. */
export const ClaimView = ({ t, form, isReady, mayBeYours = false }: Props) => (
  <FormPage title={t.claim.title} t={t} form={form}>
    {mayBeYours && (
      <p>
        {t.claim.alreadyYours} <a href="/account/donations">{t.donations.title}</a>
      </p>
    )}
    <p class="lead">{isReady ? t.claim.ready : t.claim.lead}</p>
    <form class="form" method="post" action="/claim">
      {!isReady && <Input name="token" t={t} form={form} />}
      <Button>{t.claim.submit}</Button>
    </form>
  </FormPage>
)
