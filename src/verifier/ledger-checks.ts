import { demand, fromBase64url, sha256, toBase64url } from './bytes.ts'
import { globalHeadHash, headHash, leafHash, rootOfPath, signedHead } from './ledger-hashes.ts'
import type { DonationProof, ProofKey, ProofSeal } from './proof.ts'

/** Throws Refusal unless each entry's path leads to its seal's root and each seal has an entry. */
export const checkPaths = ({ ledger }: DonationProof): string => {
  const bySeq = new Map(ledger.seals.map((seal) => [seal.seq, seal]))
  demand(bySeq.size === ledger.seals.length, 'A seal occurs twice.')
  for (const entry of ledger.entries) {
    const seal = bySeq.get(entry.seal)
    demand(seal !== undefined, `The seal of entry ${entry.id} is missing.`)
    const root = rootOfPath(leafHash(entry), entry.position, seal.entries, entry.path)
    demand(root === seal.root, `Entry ${entry.id} is not under the root of its seal.`)
  }
  const used = new Set(ledger.entries.map((entry) => entry.seal))
  demand(used.size === bySeq.size, 'A seal holds none of the entries.')
  return `${ledger.entries.length} entries lead to the roots of ${bySeq.size} seals.`
}

/** Throws Refusal unless the head and the global head of each seal are the hashes of its data. */
export const checkHeads = ({ donation, ledger }: DonationProof): string => {
  for (const seal of ledger.seals) {
    const head = headHash({ ...seal, campaignId: donation.campaignId })
    demand(head === seal.head, `The head of seal ${seal.seq} does not match its data.`)
    const globalHead = globalHeadHash(seal.previousGlobalHead, seal.head)
    demand(
      globalHead === seal.globalHead,
      `The global head of seal ${seal.seq} does not match its data.`,
    )
  }
  return `The heads follow from the seals: ${ledger.seals.map((seal) => seal.head).join(', ')}.`
}

/**
 * Throws Refusal unless each seal has a valid signature by a key in the proof. If the user trusts
 * certain keys (`given`), all keys in the proof must be among these keys.
 */
export const checkSignatures = async (
  { donation, ledger }: DonationProof,
  given: readonly { x: string }[] | undefined,
): Promise<string> => {
  const byKid = new Map(ledger.keys.map((key) => [key.kid, key]))
  demand(byKid.size === ledger.keys.length, 'A key occurs twice.')
  for (const key of ledger.keys) {
    demand(key.kid === thumbprint(key), 'The name of a key is not its thumbprint.')
    demand(
      given === undefined || given.some(({ x }) => x === key.x),
      `Key ${key.kid} is not a key that you trust.`,
    )
  }
  for (const seal of ledger.seals) {
    const key = byKid.get(seal.keyId)
    demand(key !== undefined, `The key of seal ${seal.seq} is missing.`)
    const signed = await isSigned(seal, donation.campaignId, key)
    demand(signed, `Seal ${seal.seq} is not signed by its key.`)
  }
  const used = new Set(ledger.seals.map((seal) => seal.keyId))
  demand(used.size === byKid.size, 'A key has signed none of the seals.')
  return `The heads are signed by ${[...used].join(', ')}.`
}

/** Whether an Ed25519 key (RFC 8032) signed the head of a seal. */
export const isSigned = async (
  seal: Pick<ProofSeal, 'seq' | 'head' | 'globalHead' | 'signature'>,
  campaignId: string,
  key: { x: string },
): Promise<boolean> => {
  const signature = fromBase64url(seal.signature)
  const x = fromBase64url(key.x)
  if (signature?.length !== 64 || x?.length !== 32) return false
  const { subtle } = globalThis.crypto
  const publicKey = await subtle.importKey('raw', x, 'Ed25519', false, ['verify'])
  return subtle.verify('Ed25519', publicKey, signature, signedHead({ ...seal, campaignId }))
}

/** The SHA-256 hash of a key's required JWK members in alphabetical order (RFC 7638). */
export const thumbprint = ({ kty, crv, x }: Pick<ProofKey, 'kty' | 'crv' | 'x'>): string =>
  toBase64url(sha256(new TextEncoder().encode(JSON.stringify({ crv, kty, x }))))
