import type { Intent, PayableAsset, WalletChain, WalletLink } from '../../shared/payment.ts'
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
  /** The ways to open this page in a wallet app; null without an escrow, where a code can pay. */
  walletLinks: readonly WalletLink[] | null
  address?: { value?: string | undefined; error?: string | undefined }
}
