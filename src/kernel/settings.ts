import type { Network } from '../verifier/consensus/networks.ts'
import type { AssetCatalogue } from './money/assets.ts'

/** The public data of a chain, without the nodes that the service uses. */
export type PublicChain = {
  readonly id: number
  readonly name: string
  /** URLs of nodes that browsers may use: https, or a node on the browser's own machine. */
  readonly rpc: readonly string[]
  readonly explorer: string | null
  readonly testnet: boolean
  /** The pause between two reads of the chain. */
  readonly pollIntervalMs: number
  /** If no further block becomes final for this time, finality is stalled; null if unknown. */
  readonly stalledAfterMs: number | null
  /** The network of the sync committee; undefined if the nodes alone say what is final. */
  readonly committee?: Network
}

/** The deployment's settings that the functions of the domain need. */
export type Settings = {
  readonly environment: 'sandbox' | 'production'
  readonly publicUrl: string
  /** Name and address of the issuer of receipts; undefined if the operator gave none. */
  readonly receiptIssuer?: string | undefined
  /** Ports on which processes of this deployment listen. */
  readonly listenPorts: readonly number[]
  readonly assets: AssetCatalogue
  readonly chains: readonly PublicChain[]
  readonly defaultCurrency: string
  /** Whether a campaign stays a draft until its account's owner signs a proof of ownership. */
  readonly requireAccountProof: boolean
  /** The countries whose callers are refused: ISO 3166-1 alpha-2 codes in upper case. */
  readonly blockedCountries: ReadonlySet<string>
  /** The lower-case name of the header in which the proxy sends the country of the caller. */
  readonly countryHeader: string | undefined
  readonly webhooksAllowLoopback: boolean
  readonly donationExpiryMs: number
  /** How long an intent to donate waits for a payment before the intent expires. */
  readonly intentExpiryMs: number
  /** If a payment belongs to no donation after this time, the campaign's creator is notified. */
  readonly depositGraceMs: number
  /** How long events, finished deliveries and notifications are kept. */
  readonly retention: {
    readonly eventsMs: number
    readonly deliveriesMs: number
    readonly notificationsMs: number
  }
  /** A milestone above this amount needs several verifiers. Decimal text in `defaultCurrency`. */
  readonly multisigThreshold: string
  /** The number of verifiers that a milestone above `multisigThreshold` needs. */
  readonly multisigRequired: number
  /** Whether new campaigns may have an escrow. Campaigns with an escrow keep it. */
  readonly escrow: boolean
  /** The highest target of a new escrow; undefined for no limit. Text in `defaultCurrency`. */
  readonly escrowMaxTarget: string | undefined
  /** True if mails are printed instead of sent. Then the sandbox may show the mails. */
  readonly mailIsPrinted: boolean
}
