import type { ComponentChildren } from 'preact'
import type { CheckOutcome, Expected } from '../shared/check/check-proof.ts'
import type { WalletChain } from '../shared/payment.ts'
import type { CheckPageTexts } from '../texts/check/en.ts'

/** The texts that the check of a proof shows in the browser. A value replaces each `{name}`. */
export type CheckTexts = CheckPageTexts['island']

/** An asset that the page can name: `id` is CAIP-19. */
export type NamedAsset = { id: string; symbol: string; decimals: number }

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

/** How a result looks: proven, open without a fault, in doubt, or wrong. */
export type Look = 'proven' | 'open' | 'doubt' | 'wrong'

/** What a result says. `beside` is the title and the content of the second column. */
export type Said = Record<'title' | 'why', string> & {
  look: Look
  proven: readonly ComponentChildren[]
  beside: readonly [string, ComponentChildren] | null
}

/** The state of a check, which the views show. */
export type CheckState = {
  phase:
    | 'idle'
    | 'reading'
    | 'asking'
    | 'not_ready'
    | 'no_answer'
    | 'not_json'
    | 'keys'
    | 'updates'
    | 'done'
  /** Whether the check takes longer than usual. */
  isSlow: boolean
  /** The names of the sources that are asked in the phase `asking`. */
  names: string
  outcome: CheckOutcome | null
  /** The result for a head of a ledger, without a proof. */
  head: Said | null
  /** The name of the file that the donor kept; null without one. */
  keptFile: string | null
  /** The field that was refused. */
  wrong: 'hash' | 'checkpoint' | 'node' | 'kept' | null
}

export const IDLE: CheckState = {
  phase: 'idle',
  isSlow: false,
  names: '',
  outcome: null,
  head: null,
  keptFile: null,
  wrong: null,
}

/**
 * The acts of the donor: the `data-act` of forms, and the value of buttons with the name `act`. The
 * views have no listeners, so they are the same on the server.
 */
export const ACTS = ['start', 'paste', 'hash', 'checkpoint', 'switch', 'accept', 'alone'] as const
export type Act = (typeof ACTS)[number]

/** What a view of a check shows. */
export type CheckView = CheckProps & { state: CheckState }
