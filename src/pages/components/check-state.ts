import { DONOR } from '../shared/check/block-source.ts'
import type { CheckOutcome, Expected } from '../shared/check/check-proof.ts'
import { decimalText } from '../shared/format.ts'
import type { WalletChain } from '../shared/payment.ts'
import type { CheckPageTexts } from '../texts/check/en.ts'

/** The sentences of the check. `{name}` in a sentence is a place for a value. */
export type CheckTexts = CheckPageTexts['island']

/** What the server gives to the check in the browser. */
export type CheckProps = {
  lang: string
  texts: CheckTexts
  /** The keys that this site names. */
  siteKeys: readonly { x: string }[]
  assets: readonly NamedAsset[]
  chains: readonly WalletChain[]
  /** Whether the page may ask a node on the donor's computer by http. */
  mayAskLocal: boolean
  /** The donation of the page, and the path of its proof; null if the donor brings a proof. */
  donation: { proof: string; expected: Expected } | null
}

/** The state of a check, which the views show. */
export type CheckState = {
  phase: 'idle' | 'reading' | 'asking' | 'not_ready' | 'no_answer' | 'not_json' | 'done'
  /** The names of the sources that are asked in the phase `asking`. */
  names: string
  outcome: CheckOutcome | null
  /** The name of the file that the donor kept; null without one. */
  keptFile: string | null
  /** The field that was refused. */
  wrong: 'hash' | 'node' | 'kept' | null
}

export const IDLE: CheckState = {
  phase: 'idle',
  names: '',
  outcome: null,
  keptFile: null,
  wrong: null,
}

/**
 * The acts of the donor: the `data-act` of forms, and the value of buttons with the name `act`. The
 * views have no listeners, so they are the same on the server.
 */
export const ACTS = ['start', 'paste', 'hash', 'switch', 'accept'] as const
export type Act = (typeof ACTS)[number]

/** What a view of a check shows. */
export type CheckView = CheckProps & { state: CheckState }

/** The name of a chain, or its CAIP-2 id if the site does not know the chain. */
export const chainName = ({ chains }: CheckProps, chainId: number): string =>
  chains.find(({ id }) => id === chainId)?.name ?? `eip155:${chainId}`

/** The element of the titles in a result: on the page of a donation, the check has a title. */
export const titleTag = ({ donation }: CheckProps): 'h2' | 'h3' => (donation ? 'h3' : 'h2')

/** An asset that the page can name: `id` is CAIP-19. */
type NamedAsset = { id: string; symbol: string; decimals: number }

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

/** The names of the sources that know the block. `you` is the donor's name in the language. */
export const namesOf = (answers: CheckOutcome['answers'], you: string): string[] =>
  answers.filter(({ hash }) => hash !== null).map(({ source }) => nameOf(source, you))

export const nameOf = (source: string, you: string): string => (source === DONOR ? you : source)
