import type { AssetCatalogue } from './money/assets.ts'

/** The public data of a chain, without the nodes that the service uses. */
export type PublicChain = {
  readonly id: number
  readonly name: string
  /** Nodes for browsers: https, or on the reader's own machine. */
  readonly rpc: readonly string[]
  readonly explorer: string | null
  readonly testnet: boolean
}

/** The settings of the deployment that verbs need. */
export type Settings = {
  readonly environment: 'sandbox' | 'production'
  readonly publicUrl: string
  /** Ports on which processes of this deployment listen. */
  readonly listenPorts: readonly number[]
  readonly assets: AssetCatalogue
  readonly chains: readonly PublicChain[]
  readonly defaultCurrency: string
  /** Whether a campaign waits as a draft until its account has signed. */
  readonly requireAccountProof: boolean
  /** ISO 3166-1 alpha-2, upper case. */
  readonly blockedCountries: ReadonlySet<string>
  /** The header with the caller's country, set by the proxy in front; lower case. */
  readonly countryHeader: string | undefined
  readonly webhooksAllowLoopback: boolean
  readonly donationExpiryMs: number
  /** How long an intent waits for its payment before it expires. */
  readonly intentExpiryMs: number
  /** How long a deposit waits for its donor before the creator is notified. */
  readonly depositGraceMs: number
  /** A milestone above this amount needs several verifiers: decimal text in `defaultCurrency`. */
  readonly multisigThreshold: string
  /** The number of different verifiers of such a milestone. */
  readonly multisigRequired: number
  /** True if mail is only printed, so that the sandbox may show it. */
  readonly mailIsPrinted: boolean
}
