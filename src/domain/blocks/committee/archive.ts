import type { Context } from '../../../db/context.ts'
import type { CommitteeMessage } from '../../../db/schema/chains.ts'
import { packJson, unpackJson } from '../../../kernel/formats/packed-json.ts'
import {
  type Bootstrap,
  type FinalityUpdate,
  finalBlockOf,
  type Network,
  type ProvenBlock,
  periodOf,
  type Store,
  type Update,
} from '../../../verifier/consensus/index.ts'
import type { BlockRef, ChainState } from '../../shared/index.ts'
import { REMEMBERED_BLOCKS } from '../chain/chain-state.ts'

/** Keeps a verified message. Another worker may have kept it already. */
export const keepMessage = async (
  { sql, clock }: Context,
  chainId: number,
  network: Network,
  { kind, message }: { kind: CommitteeMessage['kind']; message: Bootstrap | FinalityUpdate },
): Promise<void> => {
  const final = finalBlockOf(network, message)
  // Only blocks from before Capella have no block of the chain in their header.
  if (final === null) return
  const position = kind === 'update' ? periodOf(network, attestedSlot(message)) : final.slot
  await sql`
    insert into committee_message
      (chain_id, kind, position, slot, root, block_number, block_hash, message, verified_at)
    values (${chainId}, ${kind}, ${position}, ${final.slot}, ${final.root}, ${final.number},
      ${final.hash}, ${packJson(message)}, ${clock.now()})
    on conflict do nothing`
}

const attestedSlot = (message: Bootstrap | FinalityUpdate): number =>
  Number(('header' in message ? message.header : message.attested_header).beacon.slot)

type Row = Pick<CommitteeMessage, 'message'>

/**
 * What the kept messages prove together. Null if none is kept, or if they do not begin with the
 * checkpoint: an operator has set a new one, because the old way has a gap.
 */
export const readStore = async (
  { sql }: Pick<Context, 'sql'>,
  chainId: number,
  network: Network,
  checkpoint: string,
): Promise<Store | null> => {
  const [first] = await sql<Row[]>`
    select message from committee_message
    where chain_id = ${chainId} and kind = 'bootstrap' and root = ${checkpoint}`
  const updates = await sql<Row[]>`
    select message from committee_message
    where chain_id = ${chainId} and kind = 'update' order by position desc limit 2`
  const [newest] = await sql<Row[]>`
    select message from committee_message
    where chain_id = ${chainId} order by block_number desc limit 1`
  if (!first || !newest) return null
  const bootstrap = unpackJson(first.message) as Bootstrap
  const [last, before] = updates.map(({ message }) => unpackJson(message) as Update)
  const final = finalBlockOf(network, unpackJson(newest.message) as Bootstrap | FinalityUpdate)
  const begun = periodOf(network, attestedSlot(bootstrap))
  const known = { final, finalSlot: final?.slot ?? 0 }
  const period = last ? periodOf(network, attestedSlot(last)) : begun
  // A new checkpoint may be newer than the last kept update.
  if (last === undefined || period < begun) {
    return { ...known, period: begun, committee: bootstrap.current_sync_committee, next: null }
  }
  const isBefore = before && periodOf(network, attestedSlot(before)) === period - 1
  const committee = isBefore ? before.next_sync_committee : bootstrap.current_sync_committee
  return { ...known, period, committee, next: last.next_sync_committee }
}

/** The first final block from a number on that the committee has signed; null if there is none. */
export const provenFrom = async (
  { sql }: Context,
  chainId: number,
  network: Network,
  number: number,
): Promise<ProvenBlock | null> => {
  const [row] = await sql<Row[]>`
    select message from committee_message
    where chain_id = ${chainId} and kind <> 'bootstrap' and block_number >= ${number}
    order by block_number limit 1`
  return row ? finalBlockOf(network, unpackJson(row.message) as FinalityUpdate) : null
}

/** Whether no bootstrap of the period of a slot is kept, so that readers cannot begin in it. */
export const lacksBootstrap = async (
  { sql }: Context,
  chainId: number,
  network: Network,
  slot: number,
): Promise<boolean> => {
  const first = slot - (slot % (network.slotsPerEpoch * network.epochsPerPeriod))
  const found = await sql`
    select from committee_message
    where chain_id = ${chainId} and kind = 'bootstrap' and position >= ${first} limit 1`
  return found.length === 0
}

/** What the committee says of the stored blocks of a chain. */
export type CommitteeView = {
  /** The newest stored block that the committee has made final; null if there is none. */
  proven: BlockRef | null
  /** A block that is final for the nodes, but in its place the committee has another one. */
  contradicted: (BlockRef & { proven: string }) | null
}

export const compareWithCommittee = async (
  { sql }: Context,
  { chainId, cursor, finalizedNumber }: ChainState,
  claimed: number,
): Promise<CommitteeView> => {
  const oldest = finalizedNumber - REMEMBERED_BLOCKS
  const compared = sql`
    select number, hash, block_hash as proven from committee_message message
    join chain_block block on block.chain_id = message.chain_id and number = block_number
    where message.chain_id = ${chainId}`
  const [proven = null] = await sql<BlockRef[]>`
    ${compared} and hash = block_hash
      and block_number between ${oldest} and ${cursor.number}
    order by block_number desc limit 1`
  const [contradicted = null] = await sql<NonNullable<CommitteeView['contradicted']>[]>`
    ${compared} and hash <> block_hash
      and block_number between ${oldest}
      and ${Math.max(finalizedNumber, Math.min(claimed, cursor.number))}
    order by block_number limit 1`
  return { proven, contradicted }
}

/** Whether the committee has made a stored block above `number` final. */
export const isProvenAbove = async (
  { sql }: Context,
  chainId: number,
  number: number,
): Promise<boolean> => {
  const found = await sql`
    select from committee_message message
    join chain_block block on block.chain_id = message.chain_id and block.number = block_number
    where message.chain_id = ${chainId} and block_number > ${number} and hash = block_hash
    limit 1`
  return found.length > 0
}

/**
 * Deletes what the committee has signed about blocks above `number`. Its beacon nodes sign and show
 * it again for the blocks in their place.
 */
export const deleteProofsAbove = async (
  { sql }: Context,
  chainId: number,
  number: number,
): Promise<void> => {
  await sql`
    delete from committee_message where chain_id = ${chainId} and block_number > ${number}`
}

/** Stores up to which block the nodes of a chain alone would settle. */
export const noteClaimed = async (
  { sql }: Context,
  chainId: number,
  number: number | null,
): Promise<void> => {
  await sql`
    update chain_state set claimed_number = ${number}
    where chain_id = ${chainId} and claimed_number is distinct from ${number}`
}

/**
 * The newest root that the committee of a chain has proven, and its block; null without one.
 * `begin` is the newest root whose committee is kept, so that a reader can begin with it.
 */
export const newestProven = async ({ sql }: Context, chainId: number) => {
  const [row] = await sql<Omit<CommitteeMessage, 'message'>[]>`
    select slot, root, block_number, block_hash, verified_at from committee_message
    where chain_id = ${chainId} order by block_number desc limit 1`
  const [begin] = await sql<Pick<CommitteeMessage, 'slot' | 'root'>[]>`
    select slot, root from committee_message
    where chain_id = ${chainId} and kind = 'bootstrap' order by slot desc limit 1`
  return row && begin ? { ...row, begin } : null
}
