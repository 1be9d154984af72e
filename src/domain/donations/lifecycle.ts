import type { Part, Queryable } from '../../db/client.ts'
import type { DonationStatus } from '../../kernel/statuses.ts'
import type { EventType } from '../../outbox/events.ts'

/** A change of a donation's status. `cause` and `event` are shown in docs/chain.md. */
type Transition = {
  from: readonly DonationStatus[]
  to: DonationStatus
  cause: string
  event?: EventType
}

/**
 * All changes of a donation's status. Each statement that writes the status names its transition
 * with `becomes`, so a search for the name finds the statement. A new donation is `pending`.
 */
export const TRANSITIONS = {
  match: {
    from: ['pending', 'expired', 'reversed', 'confirming'],
    to: 'confirming',
    cause: 'a block holds the transaction, or a payment of the intent',
  },
  replace: {
    from: ['pending', 'expired'],
    to: 'confirming',
    cause: 'a final block holds another transaction with the same nonce; the donation fails next',
  },
  take: {
    from: ['pending', 'expired', 'reversed', 'confirming'],
    to: 'confirming',
    cause: 'the donor has proven the sending wallet, and gets the payment from another donor',
  },
  release: {
    from: ['confirming'],
    to: 'pending',
    cause: 'the donor attaches the hash of the payment to an equal intent',
  },
  complete: {
    from: ['confirming'],
    to: 'completed',
    cause: 'the block of the payment is final, and a price is known',
    event: 'donation.completed',
  },
  fail: {
    from: ['confirming'],
    to: 'failed',
    cause: 'the block is final, and the donation gets no payment of it',
    event: 'donation.failed',
  },
  lose: {
    from: ['pending', 'expired', 'reversed', 'confirming'],
    to: 'failed',
    cause: 'the payment moves to a donor who has proven the sending wallet',
    event: 'donation.failed',
  },
  loseCredit: {
    from: ['completed'],
    to: 'failed',
    cause: 'the credit moves to a donor who has proven the sending wallet',
    event: 'donation.reversed',
  },
  expire: {
    from: ['pending'],
    to: 'expired',
    cause: 'no node knows the transaction, or no payment arrived, or it paid an equal intent',
  },
  cancel: {
    from: ['pending', 'expired'],
    to: 'failed',
    cause: 'the donor cancels the intent',
  },
  stop: {
    from: ['pending', 'expired'],
    to: 'failed',
    cause: 'the escrow of the campaign fails before the intent is paid',
  },
  restart: {
    from: ['failed'],
    to: 'pending',
    cause: 'a reorg removes the failure of the escrow',
  },
  restartLate: {
    from: ['failed'],
    to: 'expired',
    cause: 'a reorg removes the failure of the escrow after the intent has expired',
  },
  wait: {
    from: ['confirming'],
    to: 'pending',
    cause: 'a reorg removes the block before it is final',
  },
  reopen: {
    from: ['failed'],
    to: 'pending',
    cause: 'a reorg removes the block in which the donation got no payment',
    event: 'donation.reopened',
  },
  reverse: {
    from: ['completed'],
    to: 'reversed',
    cause: 'a reorg removes the block of the payment',
    event: 'donation.reversed',
  },
  refundPart: {
    from: ['completed', 'partly_refunded'],
    to: 'partly_refunded',
    cause: 'the escrow pays a part back',
    event: 'donation.refunded',
  },
  refund: {
    from: ['completed', 'partly_refunded'],
    to: 'refunded',
    cause: 'the escrow pays the donation back',
    event: 'donation.refunded',
  },
  revertRefund: {
    from: ['partly_refunded', 'refunded'],
    to: 'completed',
    cause: 'a reorg removes the refund',
    event: 'donation.refund.reverted',
  },
} as const satisfies Record<string, Transition>

type Name = keyof typeof TRANSITIONS

/**
 * SQL for an update of `donation` that writes the status of the first transition whose condition is
 * true. If no condition is true, writes the status of `otherwise`, or keeps the status if
 * `otherwise` is null.
 */
export const becomes = (
  sql: Queryable,
  otherwise: Name | null,
  conditions: Partial<Record<Name, Part>> = {},
): Part => {
  const cases = Object.entries(conditions) as [Name, Part][]
  if (otherwise !== null && cases.length === 0) return sql`status = ${TRANSITIONS[otherwise].to}`
  const whens = cases.reduce(
    (before, [name, isTrue]) => sql`${before} when ${isTrue} then ${TRANSITIONS[name].to}`,
    sql``,
  )
  const last = otherwise === null ? sql`donation.status` : sql`${TRANSITIONS[otherwise].to}`
  return sql`status = case ${whens} else ${last} end`
}

/** SQL that takes the payment from a donation. The three parts are used apart and together. */
export const withoutPayment = (sql: Queryable): Part =>
  sql`transfer_id = null, confirmed_asset_id = null, confirmed_amount = null`

export const withoutBlock = (sql: Queryable): Part => sql`block_number = null`

export const withoutCredit = (sql: Queryable): Part => sql`
  credited_amount = null, price = null, price_source = null, discrepancy = false,
  completed_at = null`
