import type { Context } from '../../../db/context.ts'
import { requiredVerifiers } from '../../shared/index.ts'
import type { MilestoneRow } from './milestone-row.ts'

/** The number of approvals that a milestone needs. The terms of an escrow fix it at creation. */
export const requiredApprovals = (ctx: Context, milestone: MilestoneRow): number =>
  milestone.terms?.milestones[milestone.position]?.required ?? requiredVerifiers(ctx, milestone)
