import { z } from 'zod'
import type { Context } from '../../../db/context.ts'
import { returnTransfersCall } from '../../../escrow/calls.ts'
import { returnsTypedData, type TransferReturn } from '../../../escrow/typed-data.ts'
import { DomainError, inField } from '../../../kernel/errors.ts'
import { NATIVE_ASSET } from '../../../kernel/escrow-event.ts'
import { parseAddress } from '../../../kernel/formats/address.ts'
import { readEscrowState } from '../escrow/escrow-state.ts'
import { requireEscrow } from '../escrow/require-escrow.ts'
import { SignedUntil, VerifierAddress, VerifierSignatures } from '../escrow/schemas.ts'
import { domainOf, signedUntil, verifierCall } from '../escrow/verifier-calls.ts'
import { notFailed } from './not-failed.ts'
import { readUnrecorded, type Unrecorded } from './unrecorded.ts'

/** One transaction pays back at most this many transfers, because its gas is limited. */
const MAX_RETURNS = 100

export const PrepareReturns = z.strictObject({
  list: z
    .array(
      z.strictObject({
        transaction: z
          .string()
          .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hexadecimal digits')
          .transform((text) => text.toLowerCase()),
        position: z.int(),
        receiver: VerifierAddress.describe('The account that gets the money.'),
      }),
    )
    .min(1)
    .max(MAX_RETURNS)
    .describe('Transfers of `GET /api/campaigns/:id/returns` that go back.'),
  validUntil: SignedUntil,
  signatures: VerifierSignatures,
})
export type PrepareReturns = z.output<typeof PrepareReturns>

/**
 * Makes the call by which the quorum pays back transfers that the contract did not record: the
 * share of each, to a receiver that the verifiers have checked. Stores nothing. Asks nodes, so it
 * must run outside a transaction of the database.
 *
 * @throws DomainError
 * - `not_found`, `not_escrowed`; `campaign_not_failed` if nothing of an asset can go back now
 * - `invalid_input` for what is no unrecorded final transfer, and for a wrong receiver or time
 * - `already_refunded` for a transfer that went back
 * - `forbidden` for a wallet that the terms do not name; `invalid_signature`
 */
export const prepareReturns = async (
  ctx: Context,
  campaignId: string,
  { list, validUntil, signatures }: PrepareReturns,
) => {
  const { sql } = ctx
  const escrow = await requireEscrow(ctx, campaignId)
  const state = await readEscrowState(ctx, escrow)
  const known = await readUnrecorded(
    ctx,
    escrow,
    state,
    sql`transfer.tx_hash = any(${list.map(({ transaction }) => transaction)})`,
  )
  const returns = list.map((one, index) => {
    const [first, ...same] = list.filter((other) => isSame(one, other))
    const transfer = known.find((other) => isSame(one, other))
    if (!transfer || same.length > 0 || one !== first) throw wrong(index, 'position', UNKNOWN)
    if (transfer.share === null) throw notFailed(state, escrow)
    if (transfer.returned) throw returnedAlready(transfer)
    const receiver = inField(`list.${index}.receiver`, () => parseAddress(one.receiver))
    if ([escrow.account, escrow.terms.asset, NATIVE_ASSET].includes(receiver)) {
      throw wrong(index, 'receiver', 'The receiver must not be the escrow, its token, or zero.')
    }
    return toReturn(transfer, transfer.share, receiver)
  })
  const signed = { list: returns, validUntil: await signedUntil(ctx, escrow, validUntil) }
  return verifierCall(ctx, escrow, signatures, {
    needed: escrow.terms.quorum,
    typedData: returnsTypedData(domainOf(escrow), signed),
    callOf: (all) => returnTransfersCall(escrow.account, { ...signed, signatures: all }),
    validUntil,
  })
}

const UNKNOWN =
  'It must be a transfer of GET /api/campaigns/:id/returns, each at most once in the list.'

type Place = Pick<Unrecorded, 'transaction' | 'position'>

const isSame = (one: Place, other: Place): boolean =>
  one.transaction === other.transaction && one.position === other.position

const toReturn = (
  { transaction, position, asset }: Unrecorded,
  share: string,
  receiver: string,
): TransferReturn => ({ transaction, position, asset, receiver, amount: BigInt(share) })

const wrong = (index: number, field: string, message: string): DomainError =>
  new DomainError('invalid_input', message, [{ path: `list.${index}.${field}`, message }])

const returnedAlready = ({ transaction, position }: Unrecorded): DomainError =>
  new DomainError(
    'already_refunded',
    `The transfer ${position} of ${transaction} went back already. Leave it out.`,
  )
