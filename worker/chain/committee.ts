import {
  createCommitteeFeeds,
  followFeed,
  networkOfCommittee,
  slotAt,
} from '../../src/chain/index.ts'
import type { ChainConfig } from '../../src/config/config.ts'
import type { Context } from '../../src/db/context.ts'
import {
  compareWithCommittee,
  deleteProofsAbove,
  haltChain,
  isProvenAbove,
  keepMessage,
  lacksBootstrap,
  noteClaimed,
  provenFrom,
  readStore,
} from '../../src/domain/blocks/index.ts'
import type { BlockRef, ChainState } from '../../src/domain/shared/index.ts'

/** The sync committee of a chain, read from beacon nodes that are not trusted. */
export type Committee = NonNullable<ReturnType<typeof createCommittee>>

/** Passes for each epoch, so that a credit waits little longer than its proof. */
const PASSES_PER_EPOCH = 8

type Options = {
  /**
   * On the embedded chain, people replace final blocks on purpose, and a kill loses blocks that
   * were not saved. Then the proofs of these blocks are deleted, and the chain is not halted.
   */
  isEmbedded?: boolean
}

/** Null for a chain whose nodes alone say what is final. */
export const createCommittee = (
  ctx: Context,
  chain: ChainConfig,
  { isEmbedded = false }: Options = {},
) => {
  const { checkpoint } = chain
  if (checkpoint === undefined) return null
  const network = networkOfCommittee(chain)
  const feeds = createCommitteeFeeds({ chain, network, log: ctx.log, metrics: ctx.metrics })
  let isRead = false
  const statuses = () => feeds.map(({ status }) => status())
  const now = () => ctx.clock.now()
  const lacks = (slot: number) => lacksBootstrap(ctx, chain.id, network, slot)
  return {
    /** The pause between two reads of the feeds. */
    everyMs: (network.slotsPerEpoch * network.secondsPerSlot * 1_000) / PASSES_PER_EPOCH,
    feeds: statuses,
    /** Reads each feed, and keeps what it proves. */
    async follow(): Promise<void> {
      let store = await readStore(ctx, chain.id, network, checkpoint)
      for (const { feed, read } of feeds) {
        await read(async () => {
          const steps = followFeed(network, feed, { store, checkpoint, now, lacksBootstrap: lacks })
          for (;;) {
            const step = await steps.next()
            if (step.done) return slotAt(network, ctx.clock.now().getTime() / 1_000) - step.value
            await keepMessage(ctx, chain.id, network, step.value)
            store = step.value.store
          }
        })
      }
      isRead = true
    },
    /**
     * Lowers the final block of the nodes to one that the committee has proven too. Returns the
     * problem if it has proven another one, which halts the chain, or none although all blocks are
     * read. Null: the blocks that it has proven, or the beacon nodes, are not read yet.
     */
    async limit<T extends { number: number; hash: string | null }>(
      state: ChainState,
      claimed: T,
      { caughtUp }: { caughtUp: boolean },
    ): Promise<T | string | null> {
      await noteClaimed(ctx, chain.id, claimed.number)
      const last = caughtUp ? claimed.number : 0
      const { proven, contradicted } = await compareWithCommittee(ctx, state, last)
      if (contradicted && isEmbedded) {
        await deleteProofsAbove(ctx, chain.id, contradicted.number - 1)
        return null
      }
      if (contradicted) {
        await haltChain(ctx, chain.id, state.cursor)
        return contradiction(chain.id, contradicted)
      }
      if (proven === null) return caughtUp && isRead ? unproven(chain.id, null, statuses()) : null
      return proven.number < claimed.number ? { ...claimed, ...proven } : claimed
    },
    /** The first final block from a number on that the committee has signed; null if none is. */
    provenFrom: (number: number) => provenFrom(ctx, chain.id, network, number),
    /** Whether a stored block above a number is proven, so that no node may replace it. */
    async refusesReorg(number: number): Promise<boolean> {
      if (!isEmbedded) return isProvenAbove(ctx, chain.id, number)
      await deleteProofsAbove(ctx, chain.id, number)
      return false
    },
    /** Why the final block stands still, although the nodes report a later one. */
    unproven: ({ finalizedNumber }: ChainState) => unproven(chain.id, finalizedNumber, statuses()),
    close: () => Promise.all(feeds.map(({ feed }) => feed.close())),
  }
}

const unproven = (
  chainId: number,
  number: number | null,
  feeds: readonly { node: string; reason: string | null }[],
): string => {
  const faults = feeds.flatMap(({ node, reason }) =>
    reason === null ? [] : [`${node}: ${reason}`],
  )
  const proven = number === null ? 'no stored block' : `no block after ${number}`
  return [
    `finality_unproven: the sync committee of chain ${chainId} has proven ${proven}.`,
    'Donations wait until a beacon node shows a proof',
    ...(faults.length > 0 ? [`(${faults.join(', ')})`] : []),
  ].join(' ')
}

const contradiction = (
  chainId: number,
  { number, hash, proven }: BlockRef & { proven: string },
): string =>
  `finality_contradicted: the sync committee of chain ${chainId} has made block ${number} final ` +
  `with the hash ${proven}, but the nodes say that ${hash} is final. ` +
  'Settlement on this chain is halted: check each node'
