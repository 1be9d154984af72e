import type { ClaimLinkView } from '../../domain/donations/index.ts'
import { setCookie } from '../session/cookie.ts'

const MAX_AGE_S = 30 * 86_400
const VALUE = /^([\w-]{43})?\.(0x[0-9a-fA-F]{40})$/

type Given = {
  donation: { id: string }
  wallet: string
  claim: Pick<ClaimLinkView, 'token'> | null
}

/** The wallet that the donor named, and the token of the claim link if a guest gave. */
export type KeptDonation = { wallet: string; claimToken?: string }

const nameFor = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? '__Secure-donation' : 'donation'

/**
 * The `Set-Cookie` header with which a browser keeps a donation. The browser sends it only to the
 * pages of this donation.
 */
export const donationCookie = (publicUrl: string, { donation, wallet, claim }: Given): string =>
  setCookie(publicUrl, {
    name: nameFor(publicUrl),
    value: `${claim?.token ?? ''}.${wallet}`,
    path: `/d/${donation.id}`,
    maxAgeS: MAX_AGE_S,
  })

/** Reads what the browser has kept for this page. Undefined without a cookie. */
export const keptDonation = ({
  ctx,
  cookie,
}: {
  ctx: { settings: { publicUrl: string } }
  cookie: (name: string) => string | undefined
}): KeptDonation | undefined => {
  const value = cookie(nameFor(ctx.settings.publicUrl)) ?? ''
  const [, claimToken, wallet] = VALUE.exec(value) ?? []
  return wallet === undefined ? undefined : { wallet, ...(claimToken && { claimToken }) }
}
