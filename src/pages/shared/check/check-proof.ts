import type { Check, DonationProof, Level, verifyProof } from '../../../verifier/index.ts'
import { askSource, type BlockAt, type BlockSource, type SourceAnswer } from './block-source.ts'
import { contradicts, type Kept, keysIn, keysOfKept } from './kept-file.ts'

/** The donation that a page shows. A proof that the page checks must be the proof of it. */
export type Expected = { id: string; campaignId: string; account: string }

export type CheckRequest = {
  proof: unknown
  /** The donor's wallets and nodes. The service is never a source. */
  sources: readonly BlockSource[]
  /** The hash of the block that the donor typed. */
  pasted: SourceAnswer | null
  /** Asks the sync committee, from the donor's checkpoint on. Null without a checkpoint. */
  committee: ((block: BlockAt) => SourceAnswer) | null
  kept: Kept | null
  /** The keys that the page's own site names. */
  siteKeys: readonly { x: string }[]
  /** The levels that the donor accepts. */
  accept: readonly Level[]
  expected: Expected | null
}

/** Whose keys the signatures were checked with. */
type KeySource = 'kept' | 'site' | 'unknown'

export type CheckOutcome = {
  verdict: Verdict
  checks: readonly Check[]
  level: Level | null
  answers: readonly SourceAnswer[]
  keySource: KeySource
  /** Whether a key of the site has signed the ledger of the proof. */
  isSigned: boolean
  /** The thumbprints of the keys that signed. */
  keyIds: readonly string[]
  /** The proof, if its format is valid. */
  proof: DonationProof | null
}

/**
 * Checks a proof with the donor's own sources. The steps are those of `verifyProof`, and two more:
 * `page` compares the proof with the page, and `kept` with a head that the donor kept.
 */
export const checkProof = async (
  verify: typeof verifyProof,
  request: CheckRequest,
): Promise<CheckOutcome> => {
  let answers: readonly SourceAnswer[] = []
  const { keys, keySource } = chooseKeys(request)
  const result = await verify(request.proof, {
    headers: async (block) => {
      answers = await askAll(request, block)
      return answers
    },
    accept: request.accept,
    ...(keys === undefined ? {} : { keys }),
  })
  const proof = result.level === null ? null : (request.proof as DonationProof)
  const checks = proof ? [...result.checks, ...compare(request, proof)] : result.checks
  // A file with a key is no proof of the signer, because anyone can make such a file.
  const isSignerKnown = hasAll(request.siteKeys, request.proof)
  return {
    verdict: verdictOf(checks, {
      isSignerKnown,
      isOtherKey: keySource === 'kept' && !hasAll(keys, request.proof),
      hasHash: answers.some(({ hash }) => hash !== null),
      canCheckSignatures: await canCheckSignatures(),
    }),
    checks,
    level: result.level,
    answers,
    keySource,
    isSigned: isSignerKnown && checks.some(({ name, ok }) => name === 'signature' && ok),
    keyIds: proof ? proof.ledger.keys.map(({ kid }) => kid) : [],
    proof,
  }
}

const askAll = async (request: CheckRequest, block: BlockAt): Promise<SourceAnswer[]> => {
  const asked = await Promise.all(request.sources.map((source) => askSource(source, block)))
  const others = [request.pasted, request.committee?.(block) ?? null]
  return [...asked, ...others.filter((answer) => answer !== null)]
}

type Keys = readonly { x: string }[]

/** A kept file comes first. The site's keys count only if all keys of the proof are among them. */
const chooseKeys = ({
  proof,
  kept,
  siteKeys,
}: CheckRequest): { keys?: Keys; keySource: KeySource } => {
  if (kept) return { keys: keysOfKept(kept, proof), keySource: 'kept' }
  if (hasAll(siteKeys, proof)) return { keys: siteKeys, keySource: 'site' }
  return { keySource: 'unknown' }
}

const hasAll = (keys: Keys = [], proof: unknown): boolean =>
  keysIn(proof).every((key) => keys.some(({ x }) => x === key.x))

const compare = ({ expected, kept }: CheckRequest, proof: DonationProof): Check[] => {
  const checks: Check[] = []
  if (expected) {
    const { donation } = proof
    const ok =
      donation.id === expected.id &&
      donation.campaignId === expected.campaignId &&
      donation.account === expected.account.toLowerCase()
    const why = ok
      ? `The proof is of donation ${expected.id} to the account of its campaign.`
      : `The proof is of donation ${donation.id} to the account ${donation.account}.`
    checks.push({ name: 'page', ok, why })
  }
  if (kept?.kind === 'head') {
    const ok = !contradicts(kept, proof)
    const why = ok
      ? `No seal of the proof contradicts head ${kept.head} of seal ${kept.seq}.`
      : `Seal ${kept.seq} has another head than ${kept.head}, which you kept.`
    checks.push({ name: 'kept', ok, why })
  }
  return checks
}

/** Old browsers have no Ed25519, and pages without https have no Web Crypto. */
export const canCheckSignatures = async (): Promise<boolean> => {
  try {
    const { subtle } = globalThis.crypto
    await subtle.importKey('raw', GENERATOR, 'Ed25519', false, ['verify'])
    return true
  } catch {
    return false
  }
}

/** The encoding of Ed25519's base point, which is a valid key (RFC 8032, section 5.1). */
const GENERATOR = new Uint8Array(32).fill(0x66).fill(0x58, 0, 1)

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
const verdictOf = (checks: readonly Check[], means: Means): Verdict => {
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
