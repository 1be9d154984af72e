import type { Context } from '../../../db/context.ts'
import type { CommitteeMessage } from '../../../db/schema/chains.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { unpackJson } from '../../../kernel/formats/packed-json.ts'
import {
  type Archive,
  type Bootstrap,
  MOST_UPDATES,
  NETWORKS,
  periodOf,
  type Update,
} from '../../../verifier/consensus/index.ts'

/**
 * What leads from a checkpoint through the committees of a chain, for readers who verify it
 * themselves. Ends before the first period without an update.
 *
 * @param checkpoint the root of a final beacon block, lower-case
 * @throws DomainError `not_found` for a checkpoint without a kept committee
 */
export const readArchive = async (
  { sql, settings }: Context,
  chainId: number,
  checkpoint: string,
): Promise<Archive> => {
  const network = settings.chains.find(({ id }) => id === chainId)?.committee
  if (!network)
    throw new DomainError('not_found', 'The service follows no committee of this chain.')
  const [begin] = await sql<Pick<CommitteeMessage, 'message' | 'slot'>[]>`
    select message, slot from committee_message
    where chain_id = ${chainId} and kind = 'bootstrap' and root = ${checkpoint}`
  if (!begin) throw new DomainError('not_found', 'No committee is kept for this checkpoint.')
  const period = periodOf(network, begin.slot)
  const updates = await sql<Pick<CommitteeMessage, 'message'>[]>`
    select message from (
      select message, position, row_number() over (order by position) as number
      from committee_message
      where chain_id = ${chainId} and kind = 'update' and position >= ${period}
      order by position limit ${MOST_UPDATES}) kept
    where position - number = ${period - 1} order by position`
  return {
    chainId,
    network: NETWORKS.has(chainId) ? null : network,
    bootstrap: unpackJson(begin.message) as Bootstrap,
    updates: updates.map(({ message }) => unpackJson(message) as Update),
  }
}
