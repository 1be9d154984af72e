import { ClaimDonation, claimDonation } from '../../../domain/donations/index.ts'
import { parseBody } from '../../../edge/request/validate.ts'
import { Button } from '../../components/form.tsx'
import { keptDonation } from '../../load/donation-cookie.ts'
import {
  get,
  type PageAnswer,
  type PageDeps,
  post,
  seeOther,
  show,
  type Visit,
} from '../../page.ts'
import { setCookie } from '../../session/cookie.ts'
import { pathWithReturn } from '../../session/own-path.ts'
import { fieldOf, NO_STORE } from '../../session/page-session.ts'
import { type AccountTexts, accountTexts } from '../../texts/account/index.ts'
import { FormPage, Input } from '../form-parts.tsx'
import { EMPTY_FORM, type FormState, type RefusedForm, refusedForm } from '../refusals.ts'

const NAME = 'claim'
/** Enough time to make an account and to confirm its address. */
const KEEP_S = 60 * 60

/** After a sign-in, this address makes the donation of the kept token the person's own. */
export const KEPT = '/claim/kept'

/**
 * The page of a claim link, whose token is behind `#`, and the button of a guest's donation. The
 * token waits in a cookie while the person signs in, because no address of ours may contain it.
 */
export const claimPages = ({ settings }: PageDeps) => {
  const cookie = (value: string, maxAgeS: number) =>
    setCookie(settings.publicUrl, { name: NAME, value, path: '/claim', maxAgeS })

  const claim = async (visit: Visit, given: string): Promise<PageAnswer> => {
    const { ctx, caller } = visit
    try {
      // A person without JavaScript may paste the whole link.
      const { token } = parseBody(ClaimDonation, { token: given.trim().split('#').at(-1) })
      if (!caller?.verified) {
        return seeOther(
          pathWithReturn(caller ? '/verify' : '/sign-in', KEPT),
          cookie(token, KEEP_S),
        )
      }
      const { id } = await claimDonation(ctx, { token })
      return seeOther(`/account/donations?claimed=${id}`, cookie('', 0))
    } catch (error) {
      const refused = refusedForm(error, visit.lang, { token: given })
      return showClaim(visit, { ...refused, cookie: cookie('', 0) })
    }
  }

  return [
    get('/claim', 'claim', async (visit) => showClaim(visit)),
    post('/claim', 'claim', async (visit) => claim(visit, fieldOf(visit, 'token'))),
    // Only the person's own form sets the cookie, so this GET does what the person has asked for.
    get(KEPT, 'claim-kept', async (visit) => claim(visit, visit.cookie(NAME) ?? '')),
    post('/d/:id/claim', 'claim-donation', async (visit) =>
      claim(visit, keptDonation(visit)?.claimToken ?? ''),
    ),
  ]
}

type Shown = Partial<RefusedForm> & { cookie?: string }

const showClaim = ({ lang, caller }: Visit, { form = EMPTY_FORM, ...rest }: Shown = {}) => {
  const t = accountTexts[lang]
  const mayBeYours = caller !== null && form.errors.some(({ field }) => field === undefined)
  return show({
    title: t.claim.title,
    body: <ClaimView t={t} form={form} mayBeYours={mayBeYours} />,
    scripts: ['claim'],
    headers: NO_STORE,
    ...rest,
  })
}

type Props = {
  t: AccountTexts
  form: FormState
  /** Whether the link did not work, and the donation may be the person's already. */
  mayBeYours?: boolean
}

/** Moves a guest's donation to the account of the signed-in person, by the link of the guest. */
export const ClaimView = ({ t, form, mayBeYours = false }: Props) => (
  <FormPage title={t.claim.title} t={t} form={form}>
    {mayBeYours && (
      <p>
        {t.claim.alreadyYours} <a href="/account/donations">{t.donations.title}</a>
      </p>
    )}
    <p class="lead">{t.claim.lead}</p>
    <form class="form" method="post" action="/claim">
      <Input name="token" t={t} form={form} />
      <Button>{t.claim.submit}</Button>
    </form>
  </FormPage>
)
