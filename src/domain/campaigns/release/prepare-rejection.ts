import { z } from 'zod'
import type { Context } from '../../../db/context.ts'
import { rejectCall } from '../../../escrow/calls.ts'
import { rejectionTypedData } from '../../../escrow/typed-data.ts'
import { hashCanonicalJson } from '../../../kernel/formats/canonical-json.ts'
import { VerifierSignatures } from '../escrow/schemas.ts'
import { domainOf, verifierCall } from '../escrow/verifier-calls.ts'
import { Evidence } from '../milestone/schemas.ts'
import { knowsAllRejections, readUnreleased } from './get-rejection.ts'
import { roundOnChain } from './missing-rejections.ts'

export const PrepareRejection = z.strictObject({
  evidence: Evidence,
  signatures: VerifierSignatures,
})

/**
 * Makes the call by which a verifier rejects the contract's round again, while this service is in a
 * later round. This is needed if the stored signature is no longer valid. Stores nothing. Asks
 * nodes, so it must run outside a transaction of the database.
 *
 * @throws DomainError as `getRejection`; `forbidden` for a wallet that the terms do not name;
 * `invalid_signature`
 */
export const prepareRejection = async (
  ctx: Context,
  milestoneId: string,
  { evidence, signatures }: z.output<typeof PrepareRejection>,
) => {
  const { milestone, escrow, state } = await readUnreleased(ctx, milestoneId)
  const round = await roundOnChain(ctx, milestone, escrow, state)
  if (round >= milestone.round) throw knowsAllRejections()
  const rejected = { milestone: milestone.position, evidenceHash: hashCanonicalJson(evidence) }
  return verifierCall(ctx, escrow, signatures, {
    needed: 1,
    typedData: rejectionTypedData(domainOf(escrow), { ...rejected, round }),
    callOf: ([signature]) => rejectCall(escrow.account, { ...rejected, signature }),
  })
}
