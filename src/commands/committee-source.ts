import { ChainError, createBeaconFeed, followFeed } from '../chain/index.ts'
import { COMMITTEE, type FinalBlock, NETWORKS, type Network } from '../verifier/consensus/index.ts'
import type { HeaderAnswer } from '../verifier/index.ts'
import { findAncestor } from './find-ancestor.ts'
import { openNode, Unchecked } from './one-node.ts'

type Options = { checkpoint: string; beacon: string; rpc: string }

/**
 * A source of block hashes that believes no server: a beacon node gives the updates of the sync
 * committee, which are verified from the checkpoint on, and a node gives the way from a final block
 * to the asked one. Both can only be away.
 *
 * @returns a function that finds the hash of a block
 * @throws Unchecked if a server is away, or the block is not final yet; Refusal for invalid data
 */
export const createCommitteeSource =
  ({ checkpoint, beacon, rpc }: Options) =>
  async ({ chainId, number }: { chainId: number; number: number }): Promise<HeaderAnswer> => {
    const network = NETWORKS.get(chainId)
    if (!network) throw new Unchecked(`The sync committee of chain ${chainId} is not known.`)
    const final = await finalBlockFrom(network, { checkpoint, beacon }, number)
    return { source: COMMITTEE.known, hash: await findAncestor(openNode(rpc), final, number) }
  }

/**
 * The first proven final block from `number` on, so that the way to `number` is short. At least one
 * update is verified, because a checkpoint alone does not say of which network it is.
 */
const finalBlockFrom = async (
  network: Network,
  { checkpoint, beacon }: Pick<Options, 'checkpoint' | 'beacon'>,
  number: number,
): Promise<FinalBlock> => {
  if (!URL.canParse(beacon)) throw new Unchecked('--beacon is not a URL.')
  const feed = createBeaconFeed(beacon)
  const start = { store: null, checkpoint, now: () => new Date() }
  let found: FinalBlock | null = null
  try {
    for await (const { kind, store } of followFeed(network, feed, start)) {
      if (found === null || found.number < number) found = store.final
      if (kind !== 'bootstrap' && found !== null && found.number >= number) return found
    }
  } catch (error) {
    throw error instanceof ChainError ? new Unchecked(error.message) : error
  } finally {
    await feed.close()
  }
  throw new Unchecked(`Block ${number} is not final yet: ${found?.number ?? 'none'} is.`)
}
