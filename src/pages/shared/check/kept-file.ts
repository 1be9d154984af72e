import type { DonationProof } from '../../../verifier/index.ts'

/** A file that a donor kept earlier: the service's keys, or a signed head of a ledger. */
export type Kept = { kind: 'keys'; keys: readonly { x: string }[] } | KeptHead

/** A head of a ledger. `more` has the other members of the file, which are not checked. */
export type KeptHead = Record<'keyId' | 'campaignId' | 'head', string> & {
  kind: 'head'
  seq: number
  more: Readonly<Record<string, unknown>>
}

/** A file that the donor chose: a proof, updates of a sync committee, or a file that was kept. */
type ChosenFile =
  | { kind: 'proof'; proof: unknown }
  | { kind: 'updates'; updates: unknown }
  | { kind: 'kept'; kept: Kept }

/**
 * Reads a file by its content: a proof, updates, a JWK set, one JWK, or a head of a ledger. Null
 * for any other.
 */
export const readChosen = (text: string): ChosenFile | null => {
  const document = parse(text)
  if (typeof document !== 'object' || document === null) return null
  if ('ledger' in document && 'donation' in document) return { kind: 'proof', proof: document }
  if ('bootstrap' in document && 'updates' in document) {
    return { kind: 'updates', updates: document }
  }
  const kept = readKept(document)
  return kept && { kind: 'kept', kept }
}

const readKept = (document: object): Kept | null => {
  const list: unknown = 'keys' in document ? document.keys : [document]
  const keys = Array.isArray(list) ? list.filter(isKey).map(({ x }) => ({ x })) : []
  if (keys.length > 0) return { kind: 'keys', keys }
  const { keyId, campaignId, seq, head, ...more } = document as Record<string, unknown>
  if (typeof keyId !== 'string' || typeof campaignId !== 'string') return null
  if (typeof seq !== 'number' || typeof head !== 'string') return null
  return { kind: 'head', keyId, campaignId, seq, head, more }
}

/** The keys of the service: those of the file, or those in the proof that the head names. */
export const keysOfKept = (kept: Kept, proof: unknown): readonly { x: string }[] =>
  kept.kind === 'keys' ? kept.keys : keysIn(proof).filter(({ kid }) => kid === kept.keyId)

/**
 * Whether a kept head contradicts the proof: the same seal of the same campaign has another head.
 * Then the service has changed its ledger after the head was kept.
 */
export const contradicts = (kept: Kept, { donation, ledger }: DonationProof): boolean =>
  kept.kind === 'head' &&
  kept.campaignId === donation.campaignId &&
  ledger.seals.some(({ seq, head }) => seq === kept.seq && head !== kept.head)

/** The keys that a proof names. Empty if the input is not a proof. */
export const keysIn = (proof: unknown): readonly { x: string; kid: string }[] => {
  const { keys } = (proof as { ledger?: { keys?: unknown } } | null)?.ledger ?? {}
  return Array.isArray(keys) ? keys.filter(isKey) : []
}

const isKey = (key: unknown): key is { x: string; kid: string } =>
  typeof key === 'object' && key !== null && 'x' in key && typeof key.x === 'string'

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
