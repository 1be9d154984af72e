import { createHash, createPublicKey, verify } from 'node:crypto'
import { demand } from './bytes.ts'
import { globalHeadHash, headHash, leafHash, rootOfPath, signedHead } from './ledger-hashes.ts'
import type { DonationProof, ProofEntry, ProofKey, ProofSeal } from './shape.ts'

/** The entries must be this donation's, and exactly one credit of its transfer must stand. Throws Refusal. */
export const checkEntries = ({ donation, block, chainId, ledger }: DonationProof): string => {
  const byId = new Map(ledger.entries.map((entry) => [entry.id, entry]))
  demand(byId.size === ledger.entries.length, 'An entry is there twice.')
  const reversed = new Set<number>()
  for (const entry of ledger.entries) {
    demand(entry.donationId === donation.id, `Entry ${entry.id} is of another donation.`)
    demand(entry.campaignId === donation.campaignId, `Entry ${entry.id} is of another campaign.`)
    if (entry.reverses === null) continue
    demand(isReversal(entry, byId.get(entry.reverses)), `Entry ${entry.id} reverses nothing here.`)
    reversed.add(entry.reverses)
  }
  const standing = ledger.entries.filter(
    (entry) => entry.kind === 'donation' && !reversed.has(entry.id),
  )
  const [credit, ...more] = standing
  demand(
    credit !== undefined && more.length === 0,
    'Not exactly one credit of the donation stands.',
  )
  const { transfer } = credit
  demand(
    transfer !== null &&
      transfer.chainId === chainId &&
      transfer.txHash === donation.txHash &&
      transfer.position === donation.position &&
      transfer.recipient === donation.account,
    'The ledger credits another transfer.',
  )
  demand(
    credit.block?.number === block.number && credit.block.hash === block.hash,
    'The ledger names another block.',
  )
  demand(
    credit.asset === donation.asset && credit.amount === donation.amount,
    'The ledger credits another amount.',
  )
  demand(
    ['custody', 'unclaimed'].includes(credit.debit) && ['held', 'exchange'].includes(credit.credit),
    'The entry of the credit is no credit.',
  )
  return `Entry ${credit.id} credits campaign ${credit.campaignId} with this transfer, once.`
}

const isReversal = (entry: ProofEntry, original: ProofEntry | undefined): boolean =>
  original !== undefined &&
  entry.kind === 'reversal' &&
  original.kind !== 'reversal' &&
  entry.asset === original.asset &&
  entry.amount === original.amount &&
  entry.debit === original.credit &&
  entry.credit === original.debit

/** Each entry must lead to the root of its seal, and each seal must hold one of them. Throws Refusal. */
export const checkPaths = ({ ledger }: DonationProof): string => {
  const bySeq = new Map(ledger.seals.map((seal) => [seal.seq, seal]))
  demand(bySeq.size === ledger.seals.length, 'A seal is there twice.')
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

/** Each head must be the hash of what its seal says. Throws Refusal. */
export const checkHeads = ({ donation, ledger }: DonationProof): string => {
  for (const seal of ledger.seals) {
    const head = headHash({ ...seal, campaignId: donation.campaignId })
    demand(head === seal.head, `Seal ${seal.seq} has another head than it says.`)
    const globalHead = globalHeadHash(seal.previousGlobalHead, seal.head)
    demand(globalHead === seal.globalHead, `Seal ${seal.seq} has another global head than it says.`)
  }
  return `The heads follow from the seals: ${ledger.seals.map((seal) => seal.head).join(', ')}.`
}

/**
 * Each seal must be signed by a key that the proof carries, and where keys are given by one of these.
 * Throws Refusal.
 */
export const checkSignatures = (
  { donation, ledger }: DonationProof,
  given: readonly { x: string }[] | undefined,
): string => {
  const byKid = new Map(ledger.keys.map((key) => [key.kid, key]))
  demand(byKid.size === ledger.keys.length, 'A key is there twice.')
  for (const key of ledger.keys) {
    demand(key.kid === thumbprint(key), 'The name of a key is not its thumbprint.')
    demand(
      given === undefined || given.some((one) => one.x === key.x),
      `Key ${key.kid} is none of those that you trust.`,
    )
  }
  for (const seal of ledger.seals) {
    const key = byKid.get(seal.keyId)
    demand(key !== undefined, `The key of seal ${seal.seq} is missing.`)
    demand(isSigned(seal, donation.campaignId, key), `Seal ${seal.seq} is not signed by its key.`)
  }
  const used = new Set(ledger.seals.map((seal) => seal.keyId))
  demand(used.size === byKid.size, 'A key has signed none of the seals.')
  return `The heads are signed by ${[...used].join(', ')}.`
}

/** Whether a key signed the head of a seal. */
export const isSigned = (
  seal: Pick<ProofSeal, 'seq' | 'head' | 'globalHead' | 'signature'>,
  campaignId: string,
  key: { x: string },
): boolean => {
  const signature = bytesOf(seal.signature, 64)
  const x = bytesOf(key.x, 32)
  if (signature === undefined || x === undefined) return false
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: key.x }
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
  return verify(null, signedHead({ ...seal, campaignId }), publicKey, signature)
}

/** Only from the one text that so many bytes have in base64url. */
const bytesOf = (text: string, length: number): Uint8Array | undefined => {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.length === length && bytes.toString('base64url') === text ? bytes : undefined
}

/** RFC 7638: the hash of the required members in their order. */
export const thumbprint = ({ kty, crv, x }: Pick<ProofKey, 'kty' | 'crv' | 'x'>): string =>
  createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url')
