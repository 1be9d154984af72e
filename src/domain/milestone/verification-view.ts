import { toChecksumAddress } from '../../kernel/address.ts'
import type { MilestoneStatus } from '../../kernel/statuses.ts'
import type { Context } from '../context.ts'
import { moneyOf } from '../total/index.ts'
import { type AccountAsset, listAccountAssets } from './account-assets.ts'
import type { MilestoneRow } from './milestone-row.ts'
import { requiredVerifiers } from './requirement.ts'
import type { Decision, EvidenceItem } from './schemas.ts'

/** The state of a milestone's verification. */
export type MilestoneState = {
  id: string
  campaignId: string
  title: string | null
  status: MilestoneStatus
  amount: { value: string; currency: string }
  round: number
  /** The number of verifiers needed, of approvals in this round, and of approvals missing. */
  required: number
  approvals: number
  missing: number
  verifiedAt: Date | null
  releasedAt: Date | null
  /** The assets of the campaign's account. */
  assets: AccountAsset[]
}

/** A signed decision, with everything needed to check its signature. */
export type VerificationView = {
  id: string
  campaignId: string
  milestoneId: string
  status: Decision
  round: number
  evidence: EvidenceItem[]
  evidenceHash: string
  verifierId: string
  /** EIP-55. */
  signer: string
  signature: string
  method: string
  blockNumber: number | null
  createdAt: Date
}

type VerificationRow = {
  id: string
  milestoneId: string
  decision: Decision
  round: number
  evidence: EvidenceItem[]
  evidenceHash: string
  verifierId: string
  signer: string
  signature: string
  method: string
  blockNumber: number | null
  createdAt: Date
}

const MAX_VERIFICATIONS = 100
/** Limit of evidence and signatures together. The newest decision is always shown. */
const MAX_VERIFICATIONS_BYTES = 800_000

/** The newest decisions on a milestone in all rounds, newest first, up to the size limit. */
export const listVerifications = async (
  ctx: Context,
  milestone: MilestoneRow,
): Promise<VerificationView[]> => {
  const rows = await ctx.sql<VerificationRow[]>`
    select * from (
      select *, row_number() over newest as rank,
             sum(octet_length(evidence::text) + octet_length(signature)) over newest as bytes
      from milestone_verification where milestone_id = ${milestone.id}
      window newest as (order by created_at desc, id desc)
      order by created_at desc, id desc limit ${MAX_VERIFICATIONS}
    ) listed
    where bytes <= ${MAX_VERIFICATIONS_BYTES} or rank = 1
    order by rank`
  return rows.map((row) => toView(milestone, row))
}

/** A verifier's decision in a round. */
export const findVerification = async (
  ctx: Context,
  milestone: MilestoneRow,
  by: { round: number; verifierId: string; decision: Decision },
): Promise<VerificationView | null> => {
  const [row] = await ctx.sql<VerificationRow[]>`
    select * from milestone_verification
    where milestone_id = ${milestone.id} and round = ${by.round}
      and verifier_id = ${by.verifierId} and decision = ${by.decision}`
  return row ? toView(milestone, row) : null
}

/** The approvals of this round by users who are still verifiers, oldest first. */
export const listApprovals = async (
  ctx: Context,
  milestone: MilestoneRow,
): Promise<VerificationView[]> => {
  const rows = await ctx.sql<VerificationRow[]>`
    select verification.* from milestone_verification verification
    join app_user on app_user.id = verification.verifier_id
    where verification.milestone_id = ${milestone.id} and verification.round = ${milestone.round}
      and verification.decision = 'completed' and 'verifier' = any(app_user.roles)
    order by verification.created_at, verification.id`
  return rows.map((row) => toView(milestone, row))
}

/** A released milestone misses no approval, even if a verifier has lost the role since. */
export const toMilestoneState = async (
  ctx: Context,
  milestone: MilestoneRow,
  approvals: number,
): Promise<MilestoneState> => {
  const required = requiredVerifiers(ctx, milestone)
  return {
    id: milestone.id,
    campaignId: milestone.campaignId,
    title: milestone.title,
    status: milestone.status,
    amount: moneyOf(ctx, milestone.currencyId, milestone.amount.toString()),
    round: milestone.round,
    required,
    approvals,
    missing: milestone.status === 'released' ? 0 : Math.max(0, required - approvals),
    verifiedAt: milestone.verifiedAt,
    releasedAt: milestone.releasedAt,
    assets: await listAccountAssets(ctx, milestone),
  }
}

const toView = (milestone: MilestoneRow, row: VerificationRow): VerificationView => ({
  id: row.id,
  campaignId: milestone.campaignId,
  milestoneId: row.milestoneId,
  status: row.decision,
  round: row.round,
  evidence: row.evidence,
  evidenceHash: row.evidenceHash,
  verifierId: row.verifierId,
  signer: toChecksumAddress(row.signer),
  signature: row.signature,
  method: row.method,
  blockNumber: row.blockNumber,
  createdAt: row.createdAt,
})
