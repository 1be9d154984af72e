import type { Part } from '../../../db/client.ts'
import type { Context } from '../../../db/context.ts'
import type { MilestoneVerification } from '../../../db/schema/impact.ts'
import { toChecksumAddress } from '../../../kernel/formats/address.ts'
import type { Decision } from '../../../kernel/statuses.ts'
import { moneyOf } from '../../books/index.ts'
import { type Holding, listAccountAssets } from './account-assets.ts'
import type { MilestoneRow } from './milestone-row.ts'
import { requiredApprovals } from './required-approvals.ts'
import type { EvidenceItem } from './schemas.ts'

export type MilestoneState = Awaited<ReturnType<typeof toMilestoneState>>

/** A signed decision with all data to check its signature. `signer` has an EIP-55 checksum. */
export type VerificationView = Omit<MilestoneVerification, 'decision' | 'evidence'> & {
  campaignId: string
  status: Decision
  evidence: EvidenceItem[]
}

const MAX_VERIFICATIONS = 100
/** The most bytes of evidence and signatures in one list. The newest decision is always listed. */
const MAX_VERIFICATIONS_BYTES = 800_000

/** Lists the decisions of all rounds, newest first, up to the maximum of decisions and of bytes. */
export const listVerifications = (
  ctx: Context,
  milestone: MilestoneRow,
): Promise<VerificationView[]> =>
  readVerifications(
    ctx,
    milestone,
    ctx.sql`
      join (
        select id, row_number() over newest as rank,
               sum(octet_length(evidence::text) + octet_length(signature)) over newest as bytes
        from milestone_verification where milestone_id = ${milestone.id}
        window newest as (order by created_at desc, id desc)
        order by created_at desc, id desc limit ${MAX_VERIFICATIONS}
      ) listed on listed.id = verification.id
      where bytes <= ${MAX_VERIFICATIONS_BYTES} or rank = 1
      order by rank`,
  )

/** Finds a verifier's recorded decision in a round; undefined if there is no such decision. */
export const findVerification = async (
  ctx: Context,
  milestone: MilestoneRow,
  by: { round: number; verifierId: string; decision: Decision },
): Promise<VerificationView | undefined> => {
  const [view] = await readVerifications(
    ctx,
    milestone,
    ctx.sql`
      where verification.milestone_id = ${milestone.id} and verification.round = ${by.round}
        and verification.verifier_id = ${by.verifierId} and verification.decision = ${by.decision}`,
  )
  return view
}

/**
 * Lists the approvals of the current round by users who are still verifiers, oldest first. An
 * escrow counts only approvals of equal evidence together, so the largest such group is listed.
 */
export const listApprovals = async (
  ctx: Context,
  milestone: MilestoneRow,
): Promise<VerificationView[]> => {
  const approvals = await readVerifications(
    ctx,
    milestone,
    ctx.sql`
      join app_user on app_user.id = verification.verifier_id
      where verification.milestone_id = ${milestone.id} and verification.round = ${milestone.round}
        and verification.decision = 'completed' and 'verifier' = any(app_user.roles)
      order by verification.created_at, verification.id`,
  )
  if (!milestone.terms) return approvals
  const groups = [...Map.groupBy(approvals, ({ evidenceHash }) => evidenceHash).values()]
  return groups.toSorted((one, other) => other.length - one.length)[0] ?? []
}

const readVerifications = async (
  ctx: Context,
  { campaignId }: MilestoneRow,
  chosen: Part,
): Promise<VerificationView[]> => {
  const rows = await ctx.sql<VerificationView[]>`
    select verification.id, ${campaignId}::uuid as campaign_id, verification.milestone_id,
           verification.decision as status, verification.round, verification.evidence,
           verification.evidence_hash, verification.verifier_id, verification.signer,
           verification.signature, verification.method, verification.block_number,
           verification.created_at
    from milestone_verification verification ${chosen}`
  return rows.map((row) => ({ ...row, signer: toChecksumAddress(row.signer) }))
}

/** `missing` is 0 after the release, even if an approving user is not a verifier any more. */
export const toMilestoneState = async (
  ctx: Context,
  milestone: MilestoneRow,
  approvals: number,
  holdings: readonly Holding[],
) => {
  const required = requiredApprovals(ctx, milestone)
  return {
    id: milestone.id,
    campaignId: milestone.campaignId,
    title: milestone.title,
    status: milestone.status,
    amount: moneyOf(ctx, milestone.currencyId, milestone.amount),
    round: milestone.round,
    /** The number of verifiers that must approve. `approvals` counts approvals in `round`. */
    required,
    approvals,
    missing: milestone.status === 'released' ? 0 : Math.max(0, required - approvals),
    verifiedAt: milestone.verifiedAt,
    releasedAt: milestone.releasedAt,
    assets: await listAccountAssets(ctx, milestone, holdings),
  }
}
