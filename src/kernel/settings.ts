import type { AssetCatalogue } from './assets.ts'

/** What verbs need to know of the deployment. */
export type Settings = {
  readonly environment: 'sandbox' | 'production'
  readonly publicUrl: string
  readonly assets: AssetCatalogue
  readonly defaultCurrency: string
  /** Whether a campaign waits as a draft until its account has signed. */
  readonly requireAccountProof: boolean
  readonly webhooksAllowLoopback: boolean
  readonly donationExpiryMs: number
  /** True where mail is only printed, so that the sandbox may show it. */
  readonly mailIsPrinted: boolean
}
