import type { Context } from '../../../db/context.ts'
import { type Call, refundCall } from '../../../escrow/calls.ts'
import { NATIVE_ASSET } from '../../../kernel/escrow-event.ts'
import { type MoneyView, moneyOf } from '../../books/index.ts'
import type { EscrowState } from '../escrow/escrow-state.ts'
import type { Escrow } from '../escrow/require-escrow.ts'
import type { Unrecorded } from './unrecorded.ts'

/** A refund, as stored blocks show it. Addresses are in lower case. */
export type DonorRefund = {
  /**
   * Who allows the refund. `on_chain`: the contract, by its own records. `by_verifiers`: the
   * verifiers, by a list that they sign.
   */
  refund: 'on_chain' | 'by_verifiers'
  /**
   * `unsigned` until the verifiers have signed and a block has the payment. `ready` if the payment
   * can be sent now. `sent` if a block that is not final has the payment, `done` if a final block
   * has it.
   */
  state: 'unsigned' | 'ready' | 'sent' | 'done'
  /** The account that gets the money; null while the verifiers have not named it. */
  receiver: string | null
  /** Whether verifiers named another receiver than the account that sent the transfer. */
  isElsewhere: boolean
  asset: string
  /**
   * The amount in base units. Null for a recorded donor, who gets the share of all recorded
   * donations.
   */
  amount: string | null
  /** What is paid or can be paid; null for an asset that the service does not know. */
  money: MoneyView | null
  /** The hashes of the transactions that paid the refund, the oldest first. */
  transactions: string[]
  /** The call that pays the refund; null if the call needs signatures first. */
  call: Call | null
}

/**
 * Reads the refund of a recorded donor of a failed escrow. The contract pays the whole refund at
 * once. Returns null without a recorded donation, and for a share below one unit.
 */
export const readRecordedRefund = async (
  ctx: Context,
  { campaignId, account, currencyId, terms }: Escrow,
  { pool, total }: Pick<EscrowState, 'pool' | 'total'>,
  donor: string,
): Promise<DonorRefund | null> => {
  const { sql } = ctx
  const rows = await sql<{ txHash: string; isFinal: boolean; paid: string }[]>`
    select tx_hash, settled_at is not null as is_final, fields ->> 'amount' as paid
    from escrow_event
    where campaign_id = ${campaignId} and kind = 'Refunded' and block_number is not null
      and fields ->> 'donor' = ${donor}
    order by block_number, tx_hash, position`
  const [given] = await sql<{ sum: string | null }[]>`
    select sum((fields ->> 'amount')::numeric) from escrow_event
    where campaign_id = ${campaignId} and kind = 'Donated' and fields ->> 'donor' = ${donor}
      and settled_at is not null`
  const share = (BigInt(given?.sum ?? 0) * (pool ?? 0n)) / (total || 1n)
  if (rows.length === 0 && share === 0n) return null
  const open = rows.length > 0 ? 'sent' : 'ready'
  return {
    refund: 'on_chain',
    state: rows.some(({ isFinal }) => isFinal) ? 'done' : open,
    receiver: donor,
    isElsewhere: false,
    asset: terms.asset,
    amount: null,
    money: moneyOf(ctx, currencyId, rows[0]?.paid ?? share.toString()),
    transactions: rows.map(({ txHash }) => txHash),
    call: refundCall(account, donor),
  }
}

/** The refund of a transfer that the contract did not record. */
export const toRefund = (
  ctx: Context,
  { chainId }: Pick<Escrow, 'chainId'>,
  { asset, sender, share, returned }: Unrecorded,
): DonorRefund => {
  const amount = returned?.amount ?? share
  const known = ctx.settings.assets.all.find(
    (one) => one.chainId === chainId && (one.address ?? NATIVE_ASSET) === asset,
  )
  return {
    refund: 'by_verifiers',
    state: returned?.state ?? 'unsigned',
    receiver: returned?.receiver ?? null,
    isElsewhere: returned !== null && returned.receiver !== sender,
    asset,
    amount,
    money: known && amount !== null ? moneyOf(ctx, known.id, amount) : null,
    transactions: returned ? [returned.transaction] : [],
    call: null,
  }
}

/** Whether anything was or can be paid back. A return that verifiers sign can have the amount 0. */
export const isDue = ({ refund, amount }: DonorRefund): boolean =>
  refund === 'on_chain' || (amount !== null && amount !== '0')
