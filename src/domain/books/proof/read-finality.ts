import type { Queryable } from '../../../db/client.ts'
import type { CommitteeMessage } from '../../../db/schema/chains.ts'
import { unpackJson } from '../../../kernel/formats/packed-json.ts'
import type { Descent, Finality, FinalityUpdate } from '../../../verifier/consensus/index.ts'

/**
 * Completes the stored way from a final block down to block `number` with what the committee has
 * signed. Null if the archive has no committee from before this block.
 */
export const readFinality = async (
  sql: Queryable,
  chainId: number,
  { from, headers, history }: Descent & { from: number },
  number: number,
): Promise<Finality | null> => {
  const [row] = await sql<(Pick<CommitteeMessage, 'message'> & { beginSlot: number | null })[]>`
    select message, (
      select max(slot) from committee_message
      where chain_id = ${chainId} and kind = 'bootstrap' and block_number <= ${number}) as begin_slot
    from committee_message
    where chain_id = ${chainId} and block_number = ${from} and kind <> 'bootstrap' limit 1`
  if (!row || row.beginSlot === null) return null
  const message = unpackJson(row.message) as FinalityUpdate
  const { attested_header, finalized_header, finality_branch, sync_aggregate } = message
  const update = {
    ...{ attested_header, finalized_header, finality_branch, sync_aggregate },
    signature_slot: message.signature_slot,
  }
  return { beginSlot: row.beginSlot, update, headers, history }
}
