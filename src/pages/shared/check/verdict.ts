import type { Check } from '../../../verifier/index.ts'

/** The result of a check in one word. Each has its sentence in the texts. */
export const VERDICTS = [
  'proven',
  'needs_hash',
  'other_block',
  'unknown_key',
  'other_key',
  'lower_level',
  'other_donation',
  'other_history',
  'no_signatures',
  'not_a_proof',
  'failed',
] as const
export type Verdict = (typeof VERDICTS)[number]

/** The verdict if the steps with these names are the only ones that failed. */
const VERDICT_OF: Readonly<Record<string, Verdict>> = {
  chain: 'other_block',
  level: 'lower_level',
  page: 'other_donation',
  kept: 'other_history',
}

/** The means that the check had. */
type Means = {
  /** Whether the site names all keys of the proof. */
  isSignerKnown: boolean
  /** Whether the proof names a key that the kept file does not name. */
  isOtherKey: boolean
  /** Whether a source of the donor named a hash of the block. */
  hasHash: boolean
  canCheckSignatures: boolean
}

/**
 * Chooses the verdict from the failed steps. A step that could not be checked is no proof of a
 * fault, so a missing block hash and a browser without Ed25519 have verdicts of their own.
 */
export const verdictOf = (checks: readonly Check[], means: Means): Verdict => {
  const failed = checks.filter(({ ok }) => !ok).map(({ name }) => name)
  if (failed.length === 0) return means.isSignerKnown ? 'proven' : 'unknown_key'
  if (failed.includes('format')) return 'not_a_proof'
  if (failed.includes('kept')) return 'other_history'
  const isUnchecked = (name: string): boolean =>
    (name === 'chain' && !means.hasHash) || (name === 'signature' && !means.canCheckSignatures)
  const wrong = failed.filter((name) => !isUnchecked(name))
  const [first] = wrong
  if (first === undefined) return failed.includes('chain') ? 'needs_hash' : 'no_signatures'
  if (wrong.length > 1) return 'failed'
  if (first === 'signature' && means.isOtherKey) return 'other_key'
  return VERDICT_OF[first] ?? 'failed'
}
