import { DomainError } from '../../../kernel/errors.ts'
import type { EscrowState } from '../escrow/escrow-state.ts'
import type { Escrow } from '../escrow/require-escrow.ts'

/** The error that says why an escrow that has not failed pays no refund. */
export const notFailed = (
  { state }: Pick<EscrowState, 'state'>,
  { terms }: Pick<Escrow, 'terms'>,
): DomainError => {
  if (state !== 'done') {
    return new DomainError(
      'campaign_not_failed',
      'The escrow of this campaign has not failed, so it pays no refund. Ask again after the event campaign.failed.',
    )
  }
  return new DomainError(
    'campaign_not_failed',
    terms.surplusToRecipient
      ? 'All milestones of this campaign are released, and the recipient gets what is left. There is no refund, unless money is still there after the expiry: then any account may send `close` of GET /api/campaigns/:id/escrow.'
      : 'All milestones of this campaign are released. If money is left, send `close` of GET /api/campaigns/:id/escrow, so that donors get it.',
  )
}
