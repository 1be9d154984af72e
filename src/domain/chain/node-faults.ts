import { messageOf } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'

/** Stores a fault of each node. Errors are only logged, because the sync must go on. */
export const createFaultStore = (ctx: Context, chainId: number) => {
  const tolerant = <T>(work: Promise<T>) =>
    work.catch((error: unknown) => {
      ctx.log.warn({ chainId, reason: messageOf(error) }, 'the faults of nodes are not stored')
    })
  /** A change must not overtake an older change. */
  let last: Promise<unknown> = Promise.resolve()
  return {
    load: async (): Promise<Record<string, string>> => {
      const rows = await tolerant(
        ctx.sql<{ nodeFaults: Record<string, string> }[]>`
          select node_faults from chain_state where chain_id = ${chainId}`,
      )
      return rows?.[0]?.nodeFaults ?? {}
    },
    save: async (node: string, reason: string | null): Promise<void> => {
      const faults = ctx.sql`jsonb_strip_nulls(
        node_faults || jsonb_build_object(${node}::text, ${reason}::text))`
      last = last.then(() =>
        tolerant(
          ctx.sql`update chain_state set node_faults = ${faults}
            where chain_id = ${chainId} and node_faults is distinct from ${faults}`,
        ),
      )
      await last
    },
  }
}
