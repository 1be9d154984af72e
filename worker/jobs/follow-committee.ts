import { takeLease } from '../../src/domain/blocks/index.ts'
import type { Committee } from '../chain/committee.ts'
import type { ChainSync } from '../chain/sync-chain.ts'
import { createLoop, type Job } from '../loop.ts'

/** Reads what the sync committee of a chain proves. Does nothing without the chain's lease. */
export const createFollowCommitteeJob = (
  { ctx, chain, owner, leaseMs }: ChainSync,
  committee: Committee,
): Job =>
  createLoop({
    name: `follow-committee ${chain.id}`,
    sweepMs: committee.everyMs,
    log: ctx.log,
    async run() {
      if (await takeLease(ctx, chain.id, owner, leaseMs)) await committee.follow()
    },
  })
