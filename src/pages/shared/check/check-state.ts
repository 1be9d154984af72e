import type { WalletChain } from '../payment.ts'
import type { NamedAsset } from './amount.ts'
import type { CheckOutcome, Expected } from './check-proof.ts'
import type { CheckTexts } from './check-texts.ts'

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
