import { COMMITTEE, DONOR } from '../shared/check/block-source.ts'
import type { CheckOutcome } from '../shared/check/check-proof.ts'
import { decimalText } from '../shared/format.ts'
import type { CheckProps, CheckTexts, NamedAsset } from './check-state.ts'

/** The name of a chain, or its CAIP-2 id if the site does not know the chain. */
export const chainName = ({ chains }: CheckProps, chainId: number): string =>
  chains.find(({ id }) => id === chainId)?.name ?? `eip155:${chainId}`

/** Whether a source of the donor has named the hash of the proof's block by itself. */
export const isHashKnown = ({ answers, proof }: CheckOutcome): boolean =>
  answers.some(({ hash }) => hash !== null && hash === proof?.block.hash)

/**
 * The amount of a proof as text, with all its digits. The proof itself has base units, and the
 * symbol and the decimals come from the page. An unknown asset keeps its base units and its id.
 */
export const amountText = (
  units: string,
  asset: string,
  known: readonly NamedAsset[],
): { value: string; currency: string } => {
  const named = known.find(({ id }) => id === asset)
  if (!named) return { value: units, currency: asset }
  return { value: decimalText(BigInt(units), named.decimals), currency: named.symbol }
}

/** A fact that the check took from a party, so the donor must trust that party. */
type Word = keyof CheckTexts['words']

const KEY_WORDS = { kept: 'own_key', site: 'site_key', unknown: 'unknown_key' } as const

/** The parties whose word is left after the check, as `trusted` of `verifyProof` names them. */
export const wordsOf = ({ proof, answers, keySource, level }: CheckOutcome): Word[] => {
  if (proof === null) return []
  const isConverted = proof.ledger.entries.some(({ kind }) => kind === 'conversion')
  return [
    answers.some(({ hash }) => hash !== null) ? 'source' : 'no_source',
    KEY_WORDS[keySource],
    'reversal',
    ...(isConverted ? (['price'] as const) : []),
    ...(level === 'receipt' || level === 'balance' ? ([level] as const) : []),
  ]
}

/** The names of the sources that know the block, in the language of the page. */
export const namesOf = (answers: CheckOutcome['answers'], texts: CheckTexts): string[] =>
  answers.filter(({ hash }) => hash !== null).map(({ source }) => nameOf(source, texts))

export const nameOf = (
  source: string,
  { you, ownCheckpoint, committee, describedCommittee }: CheckTexts,
): string => {
  const known: Record<string, string> = {
    [DONOR]: you,
    [COMMITTEE.checkpoint]: ownCheckpoint,
    [COMMITTEE.known]: committee,
    [COMMITTEE.described]: describedCommittee,
  }
  return known[source] ?? source
}
