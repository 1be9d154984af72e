import { ClaimDonation, claimDonation } from '../../../domain/donation/index.ts'
import { parseBody } from '../../../http/request/validate.ts'
import type { PageDeps } from '../../deps.ts'
import { get, post, seeOther, show, type Visit } from '../../page.ts'
import { setCookie } from '../../session/cookie.ts'
import { pathWithReturn } from '../form-parts.tsx'
import { fieldOf, NO_STORE } from '../page-session.ts'
import { EMPTY_FORM, type RefusedForm, refusedForm } from '../refusals.ts'
import { accountTexts } from '../texts/index.ts'
import { ClaimView } from './claim-view.tsx'

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
