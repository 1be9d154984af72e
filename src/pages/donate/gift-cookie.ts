import type { ClaimLinkView } from '../../domain/donation/index.ts'

const MAX_AGE_S = 30 * 86_400
const VALUE = /^([\w-]{43})?\.(0x[0-9a-fA-F]{40})$/

/** The data that a browser keeps about a donation that was recorded in it. */
type KeptGift = {
  /** The token of the claim link, if a guest gave. */
  claimToken?: string
  /** The wallet that the donor named. */
  wallet: string
}

const nameFor = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? '__Secure-gift' : 'gift'

/**
 * The `Set-Cookie` header with which a browser keeps a gift. The browser sends it only to the pages
 * of this donation.
 */
export const giftCookie = (
  publicUrl: string,
  { id, wallet, claim }: { id: string; wallet: string; claim: ClaimLinkView | null },
): string => {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  const value = `${claim?.token ?? ''}.${wallet}`
  return `${nameFor(publicUrl)}=${value}; Path=/d/${id}; HttpOnly; SameSite=Lax; Max-Age=${MAX_AGE_S}${secure}`
}

/** Reads the gift that the browser has kept for this page; undefined without one. */
export const readGift = (
  publicUrl: string,
  cookie: (name: string) => string | undefined,
): KeptGift | undefined => {
  const [, claimToken, wallet] = VALUE.exec(cookie(nameFor(publicUrl)) ?? '') ?? []
  return wallet === undefined ? undefined : { wallet, ...(claimToken && { claimToken }) }
}
