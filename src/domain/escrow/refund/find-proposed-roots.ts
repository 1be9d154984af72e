import type { Context } from '../../context.ts'
import { type EscrowState, type ProposedRoot, rootInForce } from '../escrow-state.ts'
import { readEscrowTime } from '../escrow-time.ts'
import type { Escrow } from '../require-escrow.ts'
import { findRoot, type RootView } from './get-refunds.ts'

/** A proposed root that this service has computed. `readyAt` is the time of its first claim. */
export type FoundRoot = RootView & { readyAt: Date }

/**
 * Finds the root in force and the proposed root that waits. Each is null if there is none, or if
 * this service has not computed it.
 */
export const findProposedRoots = async (
  ctx: Context,
  escrow: Escrow,
  state: EscrowState,
): Promise<{ inForce: FoundRoot | null; waiting: FoundRoot | null }> => {
  const inForce = rootInForce(state, await readEscrowTime(ctx, escrow))
  const find = async (proposed: ProposedRoot | null): Promise<FoundRoot | null> => {
    const root = proposed && (await findRoot(ctx, escrow, proposed))
    return root ? { ...root, readyAt: new Date(proposed.readyAt * 1_000) } : null
  }
  return {
    inForce: await find(inForce),
    waiting: await find(state.newestRoot === inForce ? null : state.newestRoot),
  }
}
