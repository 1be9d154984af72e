import type { Context } from '../../db/context.ts'
import {
  type CampaignView,
  type FoundRefund,
  type ReadyTransaction,
  readyTransaction,
} from '../../domain/campaigns/index.ts'
import { createShortKeeper } from '../../kernel/keep-short.ts'
import type { WalletChain } from '../shared/payment.ts'
import { walletChain } from './payable.ts'

/** The transaction that pays a refund. */
export type ReadyRefund = { chain: WalletChain; transaction: ReadyTransaction }

/** A node tries each refund, so the result is kept for a short time. */
const keep = createShortKeeper<ReadyTransaction>()

/** Makes the transaction of a refund that can be sent now; null if there is none. */
export const readyRefundOf = async (
  ctx: Context,
  { campaign, refund }: { campaign: Pick<CampaignView, 'chainId'>; refund: FoundRefund | null },
): Promise<ReadyRefund | null> => {
  if (refund?.state !== 'ready' || refund.call === null) return null
  const { escrow, call } = refund
  const transaction = await keep(`${escrow.account} ${call.data}`, () =>
    readyTransaction(ctx, escrow, [call]),
  )
  return { chain: walletChain(ctx, campaign), transaction }
}
