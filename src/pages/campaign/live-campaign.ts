import type { MoneyView } from '../../domain/books/index.ts'
import type { BookedBlock, CampaignView, EscrowFigures } from '../../domain/campaigns/index.ts'
import type { DonationView } from '../../domain/donations/index.ts'
import type { ChainTrouble } from '../parts/campaign-parts.tsx'
import type { Language } from '../shared/languages.ts'

/** The parts of the page that change while it is open. All visitors get the same parts. */
export type LiveCampaign = {
  campaign: CampaignView
  /** Money in blocks that are not final, for each currency. */
  waiting: readonly MoneyView[]
  /** Null without an escrow. */
  escrow: EscrowFigures | null
  /** The block of all figures. */
  booked: BookedBlock | null
  trouble: ChainTrouble
  /** The newest donations. */
  donations: readonly DonationView[]
  now: Date
}

export type LiveProps = LiveCampaign & { lang: Language }
