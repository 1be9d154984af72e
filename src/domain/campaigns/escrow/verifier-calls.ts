import type { Context } from '../../../db/context.ts'
import { type Call, terminateCall, type VerifierSignature } from '../../../escrow/calls.ts'
import {
  type EscrowDomain,
  reasonHashOf,
  terminationTypedData,
} from '../../../escrow/typed-data.ts'
import { DomainError, inField } from '../../../kernel/errors.ts'
import { parseAddress } from '../../../kernel/formats/address.ts'
import type { TypedData } from '../../../kernel/ports/signatures.ts'
import { readEscrowState } from './escrow-state.ts'
import { readEscrowTime } from './escrow-time.ts'
import { type ReadyTransaction, readyTransaction } from './ready-transaction.ts'
import { type Escrow, requireEscrow } from './require-escrow.ts'
import type { PrepareTermination, VerifierSignatures } from './schemas.ts'
import { checkVerifierSignature, notAVerifier } from './verifier-signature.ts'

/** A message for verifiers, and the transaction that brings their signatures to the escrow. */
type VerifierCall<T extends TypedData> = {
  /** The number of verifiers that must sign. */
  needed: number
  typedData: T
  /** Null while signatures are missing. Any account may send the transaction. */
  transaction: ReadyTransaction | null
}

/**
 * Makes the call by which the quorum ends an escrow, so that donors get back what is left. Stores
 * nothing. Asks nodes, so it must run outside a transaction of the database.
 *
 * @throws DomainError `not_found`, `not_escrowed`; `escrow_failed` or `conflict` if the escrow has
 *   ended or is a draft; `invalid_input` for a wrong time; `forbidden` for a wallet that the terms
 *   do not name; `invalid_signature`
 */
export const prepareTermination = async (
  ctx: Context,
  campaignId: string,
  { reason, validUntil, signatures }: PrepareTermination,
) => {
  const escrow = await requireEscrow(ctx, campaignId)
  refuseUnendable(escrow, (await readEscrowState(ctx, escrow)).state)
  const ending = {
    reasonHash: reasonHashOf(reason),
    validUntil: await signedUntil(ctx, escrow, validUntil),
  }
  return verifierCall(ctx, escrow, signatures, {
    needed: escrow.terms.quorum,
    typedData: terminationTypedData(domainOf(escrow), ending),
    callOf: (all) => terminateCall(escrow.account, { ...ending, signatures: all }),
    validUntil,
  })
}

const refuseUnendable = ({ status }: Escrow, state: string): void => {
  if (state === 'failed') {
    throw new DomainError(
      'escrow_failed',
      'The escrow has failed already. Donors get refunds: GET /api/donations/:id/refund.',
    )
  }
  if (state === 'done' || status === 'draft') {
    throw new DomainError(
      'conflict',
      status === 'draft'
        ? 'The terms of a draft can still change, so there is nothing to sign. Open the campaign first.'
        : 'All milestones are released, so there is nothing to end.',
    )
  }
}

/** The contract takes signatures for ever that have no near end. */
const MAX_SIGNED_SECONDS = 90 * 86_400

/**
 * Returns the last second for which signatures count, in Unix seconds.
 *
 * @throws DomainError `invalid_input` for a time in the past or in more than 90 days
 */
export const signedUntil = async (ctx: Context, escrow: Escrow, at: Date): Promise<number> => {
  const seconds = Math.floor(at.getTime() / 1_000)
  const now = await readEscrowTime(ctx, escrow)
  if (seconds > now && seconds <= now + MAX_SIGNED_SECONDS) return seconds
  const message = 'validUntil must be in the future, and at most 90 days from now.'
  throw new DomainError('invalid_input', message, [{ path: 'validUntil', message }])
}

/** The values that identify an escrow in the messages whose signatures its contract checks. */
export const domainOf = ({ chainId, account, terms }: Escrow): EscrowDomain => ({
  chainId,
  escrow: account,
  campaign: terms.campaign,
})

type Signed = [VerifierSignature, ...VerifierSignature[]]

/**
 * Checks signatures of a message, and makes the transaction if there are enough.
 *
 * @throws DomainError `forbidden` for a wallet that the terms do not name; `invalid_signature`
 */
export const verifierCall = async <T extends TypedData>(
  ctx: Context,
  escrow: Escrow,
  signatures: VerifierSignatures,
  call: { needed: number; typedData: T; callOf(signed: Signed): Call; validUntil?: Date },
): Promise<VerifierCall<T>> => {
  const { needed, typedData, callOf, validUntil } = call
  const signed = new Map<number, VerifierSignature>()
  for (const [index, one] of signatures.entries()) {
    const address = inField(`signatures.${index}.verifier`, () => parseAddress(one.verifier))
    const verifier = escrow.terms.verifiers.indexOf(address)
    if (verifier < 0) throw notAVerifier()
    const claim = { verifier: address, signature: one.signature }
    const data = await checkVerifierSignature(ctx, escrow, typedData, claim)
    if (data === null) throw invalidSignature(one.verifier)
    signed.set(verifier, { verifier, data })
  }
  const [first, ...others] = [...signed.values()].slice(0, needed)
  const isComplete = first !== undefined && signed.size >= needed
  const transaction = isComplete
    ? await readyTransaction(ctx, escrow, [callOf([first, ...others])], { validUntil })
    : null
  return { needed, typedData, transaction }
}

const invalidSignature = (verifier: string) =>
  new DomainError(
    'invalid_signature',
    `The signature is not by ${verifier} for this message. Sign the typedData of the answer unchanged.`,
  )
