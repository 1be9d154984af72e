import { DONOR } from './block-source.ts'
import type { CheckOutcome } from './check-proof.ts'

/** A fact that the check took from a party, so the donor must trust that party. */
export type Word =
  | 'source'
  | 'no_source'
  | 'own_key'
  | 'site_key'
  | 'unknown_key'
  | 'reversal'
  | 'price'
  | 'receipt'
  | 'balance'

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

/** The names of the sources that know the block. `you` is the donor's name in the language. */
export const namesOf = (answers: CheckOutcome['answers'], you: string): string[] =>
  answers.filter(({ hash }) => hash !== null).map(({ source }) => nameOf(source, you))

export const nameOf = (source: string, you: string): string => (source === DONOR ? you : source)
