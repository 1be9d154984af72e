import {
  type Call,
  terminateCall,
  type VerifierSignature,
  vetoRootCall,
} from '../../chain/escrow/calls.ts'
import {
  type EscrowDomain,
  reasonHashOf,
  refundRootVetoTypedData,
  terminationTypedData,
} from '../../chain/escrow/typed-data.ts'
import { DomainError, inField } from '../../kernel/errors.ts'
import { parseAddress } from '../../kernel/formats/address.ts'
import type { TypedData } from '../../kernel/ports/signatures.ts'
import type { Context } from '../context.ts'
import { type ProposedRoot, readEscrowState } from './escrow-state.ts'
import { readEscrowTime } from './escrow-time.ts'
import { type ReadyTransaction, readyTransaction } from './ready-transaction.ts'
import { type Escrow, requireEscrow } from './require-escrow.ts'
import type { PrepareTermination, VerifierSignatures } from './schemas.ts'
import { checkVerifierSignature, notAVerifier } from './verifier-signature.ts'

/** A message for verifiers, and the transaction that brings their signatures to the escrow. */
export type VerifierCall<T extends TypedData> = {
  /** The number of verifiers that must sign. */
  needed: number
  typedData: T
  /** Null while signatures are missing. Any account may send it. */
  transaction: ReadyTransaction | null
}

/**
 * Makes the call by which the quorum ends an escrow, so that donors get back what is left. Stores
 * nothing. Asks nodes, so it must run outside a transaction of the database.
 *
 * @throws DomainError `not_found`, `not_escrowed`; `escrow_failed` or `conflict` if the escrow has
 *   ended or is a draft; `forbidden` for a wallet that the terms do not name; `invalid_signature`
 */
export const prepareTermination = async (
  ctx: Context,
  campaignId: string,
  { reason, signatures }: PrepareTermination,
) => {
  const escrow = await requireEscrow(ctx, campaignId)
  refuseUnendable(escrow, (await readEscrowState(ctx, escrow)).state)
  const reasonHash = reasonHashOf(reason)
  return verifierCall(ctx, escrow, signatures, {
    needed: escrow.terms.quorum,
    typedData: terminationTypedData(domainOf(escrow), { reasonHash }),
    callOf: (signed) => terminateCall(escrow.account, { reasonHash, signatures: signed }),
  })
}

const refuseUnendable = ({ status }: Escrow, state: string): void => {
  if (state === 'failed') {
    throw new DomainError(
      'escrow_failed',
      'The escrow has failed already. Donors get refunds: GET /api/campaigns/:id/refunds.',
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

/**
 * Makes the call by which one verifier objects to a proposed refund root while it waits. Stores
 * nothing. Asks nodes, so it must run outside a transaction of the database.
 *
 * @throws DomainError `not_found`, `not_escrowed`; `refund_root_missing` if no root waits;
 *   `conflict` for a verifier who has vetoed this root before; `forbidden` for a wallet that the
 *   terms do not name; `invalid_signature`
 */
export const prepareVeto = async (
  ctx: Context,
  campaignId: string,
  { signatures }: { signatures: VerifierSignatures },
) => {
  const escrow = await requireEscrow(ctx, campaignId)
  const { newestRoot } = await readEscrowState(ctx, escrow)
  const now = await readEscrowTime(ctx, escrow)
  if (!newestRoot || now >= newestRoot.readyAt) {
    throw new DomainError(
      'refund_root_missing',
      'No refund root waits, so there is nothing to veto. Ask again after the event refund.root.proposed.',
    )
  }
  await refuseSecondVeto(ctx, escrow, newestRoot, signatures)
  return verifierCall(ctx, escrow, signatures, {
    needed: 1,
    typedData: refundRootVetoTypedData(domainOf(escrow), newestRoot),
    callOf: ([signed]) => vetoRootCall(escrow.account, signed),
  })
}

/** The contract takes one veto of a root from each verifier, also if the root is proposed again. */
const refuseSecondVeto = async (
  { sql }: Context,
  { campaignId }: Escrow,
  { root }: ProposedRoot,
  signatures: VerifierSignatures,
): Promise<void> => {
  const verifiers = signatures.map(({ verifier }) => verifier.toLowerCase())
  const [vetoed] = await sql`
    select from escrow_event
    where campaign_id = ${campaignId} and kind = 'RootVetoed' and settled_at is not null
      and fields ->> 'root' = ${root} and fields ->> 'verifier' = any(${verifiers})
    limit 1`
  if (!vetoed) return
  throw new DomainError(
    'conflict',
    'This verifier has already vetoed this root, and the escrow takes one veto of a root from each verifier. Another verifier can veto it.',
  )
}

/** The names of an escrow in the messages that its contract checks. */
export const domainOf = ({
  chainId,
  account,
  terms,
}: Pick<Escrow, 'chainId' | 'account' | 'terms'>): EscrowDomain => ({
  ...{ chainId, escrow: account, campaign: terms.campaign },
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
  { needed, typedData, callOf }: { needed: number; typedData: T; callOf(signed: Signed): Call },
): Promise<VerifierCall<T>> => {
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
    ? await readyTransaction(ctx, escrow, [callOf([first, ...others])])
    : null
  return { needed, typedData, transaction }
}

const invalidSignature = (verifier: string) =>
  new DomainError(
    'invalid_signature',
    `The signature is not by ${verifier} for this message. Sign the typedData of the answer unchanged.`,
  )
