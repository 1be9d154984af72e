import type { Part, Queryable } from '../../../db/client.ts'

/** SQL for the expression of the index `donation_claim`, for `on conflict`. */
export const claimKey = (sql: Queryable): Part => sql`
  claim_key(chain_id, tx_hash, campaign_id, claimed_position,
            case when status = 'failed' or intent then id end)`
