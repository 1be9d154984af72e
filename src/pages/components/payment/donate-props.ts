import type { Intent, PayableAsset, Road, WalletChain } from '../../shared/payment.ts'
import type { PanelTexts } from './panel-texts.ts'

/** What the script `donate` gets from the server. */
export type DonateProps = {
  lang: string
  texts: PanelTexts
  chain: WalletChain
  assets: readonly PayableAsset[]
  /** Where to record an intent. */
  action: string
  /** An intent that is already recorded; null on the page that records one. */
  intent: Intent | null
  /** Whether the form can also record a donation that another device pays. */
  hasPhone: boolean
  /** The usual way of a refund; null if there is no choice. */
  road: Road | null
  address?: { value?: string | undefined; error?: string | undefined }
}
