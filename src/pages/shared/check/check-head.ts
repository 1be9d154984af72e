import type { isSigned, thumbprint } from '../../../verifier/index.ts'
import { canCheckSignatures } from './check-proof.ts'
import type { KeptHead } from './kept-file.ts'

/** The result of the check of a head in one word. */
export type HeadVerdict = 'current' | 'older' | 'alone' | 'other' | 'unsigned' | 'no_signatures'

/** The newest head that the site names; null if the site has not answered. */
export type NewestHead = Pick<KeptHead, 'seq' | 'head'> | null

/**
 * Checks the head of a ledger: whether a key of the site has signed it, and whether it fits the
 * newest head of the site. A ledger only grows, so a lower newest number does not fit.
 */
export const checkHead = async (
  verifier: { isSigned: typeof isSigned; thumbprint: typeof thumbprint },
  { keyId, campaignId, seq, head, more }: KeptHead,
  siteKeys: readonly { x: string }[],
  newest: NewestHead,
): Promise<HeadVerdict> => {
  if (!(await canCheckSignatures())) return 'no_signatures'
  const [globalHead, signature] = [String(more.globalHead), String(more.signature)]
  const jwk = { kty: 'OKP', crv: 'Ed25519' } as const
  const key = siteKeys.find(({ x }) => verifier.thumbprint({ ...jwk, x }) === keyId)
  const signed = { seq, head, globalHead, signature }
  if (!key || !(await verifier.isSigned(signed, campaignId, key))) return 'unsigned'
  if (newest === null) return 'alone'
  if (newest.seq > seq) return 'older'
  return newest.seq === seq && newest.head === head ? 'current' : 'other'
}
