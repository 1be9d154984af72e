import type { Context } from '../../../db/context.ts'
import { toChecksumAddress } from '../../../kernel/formats/address.ts'
import { type Page, type PageQuery, readPage } from '../../shared/index.ts'
import { readEscrowState } from '../escrow/escrow-state.ts'
import { requireEscrow } from '../escrow/require-escrow.ts'
import { isUnrecorded, readUnrecorded, type Unrecorded } from './unrecorded.ts'

/** A transfer that goes back only if verifiers sign it. Addresses have EIP-55 checksums. */
export type Return = Omit<Unrecorded, 'id' | 'hasPayer'> & {
  /**
   * The sender, if the sender surely paid and is a wallet, and the transfer can go back now. If
   * null, the verifiers enter the account that the donor has proven.
   */
  receiver: string | null
}

/**
 * Lists the final transfers that the contract of an escrow did not record, the oldest first. Must
 * run outside a transaction, because it asks nodes which senders are wallets.
 *
 * @throws DomainError `not_found`; `invalid_cursor`; `not_escrowed` without an escrow
 */
export const listReturns = async (
  ctx: Context,
  campaignId: string,
  query: PageQuery,
): Promise<Page<Return>> => {
  const { sql } = ctx
  const escrow = await requireEscrow(ctx, campaignId)
  const state = await readEscrowState(ctx, escrow)
  const page = await readPage(ctx, query, {
    oldestFirst: true,
    chosen: sql`
      select transfer.id, transfer.mined_at as at
      from campaign join chain_transfer transfer
        on transfer.chain_id = campaign.chain_id and transfer.recipient = campaign.account
      where campaign.id = ${campaignId} and ${isUnrecorded(ctx)}`,
    rowsOf: (ids) => readUnrecorded(ctx, escrow, state, sql`transfer.id = any(${ids}::uuid[])`),
  })
  const isOffered = ({ share, returned, hasPayer }: Unrecorded) =>
    share !== null && !returned && hasPayer
  const wallets = await findWallets(ctx, escrow.chainId, page.items.filter(isOffered))
  return {
    ...page,
    items: page.items.map((item) => {
      const { id: _, hasPayer: __, ...transfer } = item
      const { asset, sender, returned } = transfer
      return {
        ...transfer,
        asset: toChecksumAddress(asset),
        sender: toChecksumAddress(sender),
        receiver: isOffered(item) && wallets.has(sender) ? toChecksumAddress(sender) : null,
        returned: returned && { ...returned, receiver: toChecksumAddress(returned.receiver) },
      }
    }),
  }
}

/** The senders that are wallets, in lower case. */
const findWallets = async (
  ctx: Context,
  chainId: number,
  transfers: readonly Unrecorded[],
): Promise<Set<string>> => {
  const senders = [...new Set(transfers.map(({ sender }) => sender))]
  const answers = await Promise.all(
    senders.map((sender) => ctx.contracts.isWallet({ chainId, address: sender })),
  )
  return new Set(senders.filter((_, index) => answers[index] === true))
}
