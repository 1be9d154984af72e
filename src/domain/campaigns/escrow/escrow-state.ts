import type { Context } from '../../../db/context.ts'
import type { EscrowEvent } from '../../../kernel/escrow-event.ts'
import type { EscrowFailure } from '../../../kernel/statuses.ts'
import { eventOrder } from './event-order.ts'
import type { Escrow } from './require-escrow.ts'

/** The states of the escrow contract. `done` means that all milestones are released. */
export const ESCROW_STATES = ['funding', 'active', 'done', 'failed'] as const

/** The state of an escrow at the newest settled block. Amounts are in base units. */
export type EscrowState = {
  state: (typeof ESCROW_STATES)[number]
  /** Null unless the state is `failed`. */
  reason: EscrowFailure | null
  /** The balance at the failure, of which donors get their shares; null unless `failed`. */
  pool: bigint | null
  /** `pool` and all released money, at least the recorded donations; null unless `failed`. */
  total: bigint | null
  /** The positions of released milestones, in rising order. */
  releasedMilestones: number[]
  /** The number of rejections of each milestone. */
  rounds: number[]
}

/** The kinds that change the state. The index finds events by kind. */
const STATE_KINDS = ['Activated', 'MilestoneRejected', 'MilestoneReleased', 'Failed']

/** Derives the state of an escrow from its settled events. */
export const readEscrowState = async (
  { sql }: Context,
  { campaignId, terms }: Pick<Escrow, 'campaignId' | 'terms'>,
): Promise<EscrowState> => {
  const events = await sql<EscrowEvent[]>`
    select kind, fields from escrow_event event
    where campaign_id = ${campaignId} and settled_at is not null
      and kind = any(${STATE_KINDS})
    order by ${eventOrder(sql)}`
  return stateOf(events, terms)
}

/** The state after these events, which are in the order of `eventOrder`. */
export const stateOf = (
  events: readonly EscrowEvent[],
  terms: Pick<Escrow['terms'], 'milestones'>,
): EscrowState => {
  const state: EscrowState = {
    state: 'funding',
    reason: null,
    pool: null,
    total: null,
    releasedMilestones: [],
    rounds: terms.milestones.map(() => 0),
  }
  for (const event of events) apply(state, event, terms)
  state.releasedMilestones.sort((a, b) => a - b)
  return state
}

const apply = (
  state: EscrowState,
  { kind, fields }: EscrowEvent,
  terms: Pick<Escrow['terms'], 'milestones'>,
): void => {
  switch (kind) {
    case 'Activated':
      state.state = 'active'
      break
    case 'MilestoneRejected':
      state.rounds[fields.milestone] = fields.round + 1
      break
    case 'MilestoneReleased':
      state.releasedMilestones.push(fields.milestone)
      if (state.releasedMilestones.length === terms.milestones.length) state.state = 'done'
      break
    case 'Failed':
      state.state = 'failed'
      state.reason = fields.reason
      state.pool = BigInt(fields.pool)
      state.total = BigInt(fields.total)
  }
}
