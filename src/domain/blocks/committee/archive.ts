import type { Context } from '../../../db/context.ts'
import type { CommitteeMessage } from '../../../db/schema/chains.ts'
import { packJson, unpackJson } from '../../../kernel/formats/packed-json.ts'
import {
  type Bootstrap,
  type FinalityUpdate,
  type Network,
  periodOf,
  type Store,
  type Update,
} from '../../../verifier/consensus/index.ts'
import type { BlockRef, ChainState } from '../../shared/index.ts'
import { REMEMBERED_BLOCKS } from '../chain/chain-state.ts'

/** A verified message of the sync committee, and what is known with it. */
type Verified = {
  kind: CommitteeMessage['kind']
  message: Bootstrap | FinalityUpdate | Update
  store: Store
}

/** Keeps a verified message. Another worker may have kept it already. */
export const keepMessage = async (
  { sql, clock }: Context,
  chainId: number,
  { kind, message, store: { period, final } }: Verified,
): Promise<void> => {
  // Only blocks from before Capella have no block of the chain in their header.
  if (final === null) return
  await sql`
    insert into committee_message
      (chain_id, kind, position, slot, root, block_number, block_hash, message, verified_at)
    values (${chainId}, ${kind}, ${kind === 'update' ? period : final.slot}, ${final.slot},
      ${final.root}, ${final.number}, ${final.hash}, ${packJson(message)}, ${clock.now()})
    on conflict do nothing`
}

type Row = Pick<CommitteeMessage, 'slot' | 'root' | 'message'>

/** What the kept messages prove together; null if no message is kept. */
export const readStore = async (
  { sql }: Context,
  chainId: number,
  network: Network,
): Promise<Store | null> => {
  const [last, before] = (
    await sql<Row[]>`
      select slot, root, message from committee_message
      where chain_id = ${chainId} and kind <> 'finality'
      order by kind desc, position desc limit 2`
  ).map(({ message }) => unpackJson(message) as Bootstrap | Update)
  const [newest] = await sql<Row[]>`
    select slot, root, message from committee_message where chain_id = ${chainId}
    order by block_number desc limit 1`
  if (last === undefined || newest === undefined) return null
  return { ...committeesOf(network, last, before), final: finalOf(newest), finalSlot: newest.slot }
}

const committeesOf = (
  network: Network,
  last: Bootstrap | Update,
  before: Bootstrap | Update | undefined,
): Pick<Store, 'period' | 'committee' | 'next'> => {
  if (!isUpdate(last)) {
    const period = periodOf(network, Number(last.header.beacon.slot))
    return { period, committee: last.current_sync_committee, next: null }
  }
  if (before === undefined) throw new Error('The first committee of a chain is missing.')
  return {
    period: periodOf(network, Number(last.attested_header.beacon.slot)),
    committee: isUpdate(before) ? before.next_sync_committee : before.current_sync_committee,
    next: last.next_sync_committee,
  }
}

const isUpdate = (message: Bootstrap | Update): message is Update =>
  'next_sync_committee' in message

const finalOf = ({ slot, root, message }: Row): Store['final'] => {
  const found = unpackJson(message) as Bootstrap | FinalityUpdate
  const { execution } = 'header' in found ? found.header : found.finalized_header
  if (execution === undefined) return null
  return {
    ...{ slot, root, number: Number(execution.block_number), hash: execution.block_hash },
    stateRoot: execution.state_root,
  }
}

/** What the committee says of the stored blocks of a chain. */
export type CommitteeView = {
  /** The newest stored block that the committee has made final; null if there is none. */
  proven: BlockRef | null
  /** A block that counts as final here, in whose place the committee has made another one final. */
  contradicted: (BlockRef & { proven: string }) | null
}

export const compareWithCommittee = async (
  { sql }: Context,
  { chainId, cursor, finalizedNumber }: ChainState,
): Promise<CommitteeView> => {
  const compared = sql`
    select number, hash, block_hash as proven from committee_message message
    join chain_block block on block.chain_id = message.chain_id and number = block_number
    where message.chain_id = ${chainId}`
  const [proven = null] = await sql<BlockRef[]>`
    ${compared} and block_number <= ${cursor.number} and hash = block_hash
    order by block_number desc limit 1`
  const [contradicted = null] = await sql<NonNullable<CommitteeView['contradicted']>[]>`
    ${compared} and hash <> block_hash
      and block_number between ${finalizedNumber - REMEMBERED_BLOCKS} and ${finalizedNumber}
    order by block_number limit 1`
  return { proven, contradicted }
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

/** The newest root that the committee of a chain has proven, and its block; null without one. */
export const newestProven = async ({ sql }: Context, chainId: number) => {
  const [row = null] = await sql<Omit<CommitteeMessage, 'message'>[]>`
    select slot, root, block_number, block_hash, verified_at from committee_message
    where chain_id = ${chainId} order by block_number desc limit 1`
  return row
}
