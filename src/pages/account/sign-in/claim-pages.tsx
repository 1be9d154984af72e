import { ClaimDonation, claimDonation } from '../../../domain/donation/index.ts'
import { parseBody } from '../../../http/request/validate.ts'
import type { PageDeps } from '../../deps.ts'
import { get, post, seeOther, show, type Visit } from '../../page.ts'
import { pathWithReturn } from '../form-parts.tsx'
import { fieldOf, NO_STORE } from '../page-session.ts'
import { EMPTY_FORM, type FormState, refusalsOf, statusOf } from '../refusals.ts'
import { accountTexts } from '../texts/index.ts'
import { ClaimView } from './claim-view.tsx'

const COOKIE = 'claim'
/** Enough time to make an account and to confirm its address. */
const KEEP_S = 60 * 60

/**
 * The page of a claim link, whose token is behind `#`. The token waits in a cookie while the person
 * signs in, because no address of ours may contain it.
 */
export const claimPages = ({ settings }: PageDeps) => {
  const isHttps = settings.publicUrl.startsWith('https:')
  const cookie = (token: string, seconds: number) =>
    `${COOKIE}=${token}; Path=/claim; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}; Max-Age=${seconds}`
  return [
    get('/claim', 'claim', async (visit) => {
      const isReady = visit.cookie(COOKIE) !== undefined && visit.caller !== null
      return showClaim(visit, { isReady })
    }),
    post('/claim', 'claim', async (visit) => {
      const { ctx, caller } = visit
      const given = fieldOf(visit, 'token') || (visit.cookie(COOKIE) ?? '')
      try {
        // A person without JavaScript may paste the whole link.
        const { token } = parseBody(ClaimDonation, { token: given.trim().split('#').at(-1) })
        if (!caller) return seeOther(pathWithReturn('/sign-in', '/claim'), cookie(token, KEEP_S))
        if (!caller.verified) {
          return seeOther(pathWithReturn('/verify', '/claim'), cookie(token, KEEP_S))
        }
        const { id } = await claimDonation(ctx, { token })
        return seeOther(`/d/${id}`, cookie('', 0))
      } catch (error) {
        const errors = refusalsOf(error, accountTexts[visit.lang])
        const form = { values: { token: given }, errors }
        return showClaim(visit, { form, status: statusOf(error), cookie: cookie('', 0) })
      }
    }),
  ]
}

type Shown = { isReady?: boolean; form?: FormState; status?: number; cookie?: string }

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
