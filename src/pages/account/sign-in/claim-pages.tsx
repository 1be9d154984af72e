import { ClaimDonation, claimDonation } from '../../../domain/donations/index.ts'
import { parseBody } from '../../../edge/request/validate.ts'
import { Button } from '../../components/form.tsx'
import { get, type PageDeps, post, seeOther, show, type Visit } from '../../page.ts'
import { setCookie } from '../../session/cookie.ts'
import { pathWithReturn } from '../../session/own-path.ts'
import { fieldOf, NO_STORE } from '../../session/page-session.ts'
import { type AccountTexts, accountTexts } from '../../texts/account/index.ts'
import { FormPage, Input } from '../form-parts.tsx'
import { EMPTY_FORM, type FormState, type RefusedForm, refusedForm } from '../refusals.ts'

const NAME = 'claim'
/** Enough time to make an account and to confirm its address. */
const KEEP_S = 60 * 60

/**
 * The page of a claim link, whose token is behind `#`. The token waits in a cookie while the person
 * signs in, because no address of ours may contain it.
 */
export const claimPages = ({ settings }: PageDeps) => {
  const cookie = (value: string, maxAgeS: number) =>
    setCookie(settings.publicUrl, { name: NAME, value, path: '/claim', maxAgeS })
  return [
    get('/claim', 'claim', async (visit) => {
      const isReady = visit.cookie(NAME) !== undefined && visit.caller !== null
      return showClaim(visit, { isReady })
    }),
    post('/claim', 'claim', async (visit) => {
      const { ctx, caller } = visit
      const given = fieldOf(visit, 'token') || (visit.cookie(NAME) ?? '')
      try {
        // A person without JavaScript may paste the whole link.
        const { token } = parseBody(ClaimDonation, { token: given.trim().split('#').at(-1) })
        if (!caller?.verified) {
          const to = pathWithReturn(caller ? '/verify' : '/sign-in', '/claim')
          return seeOther(to, cookie(token, KEEP_S))
        }
        const { id } = await claimDonation(ctx, { token })
        return seeOther(`/d/${id}`, cookie('', 0))
      } catch (error) {
        const refused = refusedForm(error, visit.lang, { token: given })
        return showClaim(visit, { ...refused, cookie: cookie('', 0) })
      }
    }),
  ]
}

type Shown = Partial<RefusedForm> & { isReady?: boolean; cookie?: string }

const showClaim = (
  { lang, caller }: Visit,
  { isReady = false, form = EMPTY_FORM, ...rest }: Shown,
) => {
  const t = accountTexts[lang]
  const mayBeYours = caller !== null && form.errors.some(({ field }) => field === undefined)
  const view = <ClaimView t={t} form={form} isReady={isReady} mayBeYours={mayBeYours} />
  return show({
    title: t.claim.title,
    body: view,
    scripts: ['claim'],
    headers: NO_STORE,
    ...rest,
  })
}

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
