import type { AssetCatalogue } from './assets.ts'

/** What everybody may know of a chain, and nothing of the nodes that it is followed by. */
export type PublicChain = {
  readonly id: number
  readonly name: string
  /** Nodes that browsers may use; https, or of the reader's own machine. */
  readonly rpc: readonly string[]
  readonly explorer: string | null
  readonly testnet: boolean
}

/** What verbs need to know of the deployment. */
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
  /** The header in which the proxy in front names the caller's country, lower case. */
  readonly countryHeader: string | undefined
  readonly webhooksAllowLoopback: boolean
  readonly donationExpiryMs: number
  /** How long an intent waits for its payment before it is called expired. */
  readonly intentExpiryMs: number
  /** How long a deposit waits for its donor before its creator is told of it. */
  readonly depositGraceMs: number
  /** A milestone above it needs several verifiers: decimal text in `defaultCurrency`. */
  readonly multisigThreshold: string
  /** How many distinct verifiers such a milestone needs. */
  readonly multisigRequired: number
  /** True where mail is only printed, so that the sandbox may show it. */
  readonly mailIsPrinted: boolean
}
