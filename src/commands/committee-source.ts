import {
  type FinalBlock,
  follow,
  NETWORKS,
  type Network,
  periodOf,
  readBootstrap,
  readFinalityUpdate,
  readUpdate,
  slotAt,
  startAt,
} from '../verifier/consensus/index.ts'
import type { HeaderAnswer } from '../verifier/index.ts'
import { download } from './download.ts'
import { findAncestor } from './find-ancestor.ts'
import { member, openNode, parseJson, Unchecked } from './one-node.ts'

/** Servers answer with at most this number of updates (Beacon APIs). */
const UPDATES_AT_ONCE = 64
const SOURCE = 'the sync committee, from your checkpoint on'

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
    return { source: SOURCE, hash: await findAncestor(openNode(rpc), final, number) }
  }

/** The first proven final block from `number` on, so that the way to `number` is short. */
const finalBlockFrom = async (
  network: Network,
  { checkpoint, beacon }: Pick<Options, 'checkpoint' | 'beacon'>,
  number: number,
): Promise<FinalBlock> => {
  const ask = async (path: string) => {
    const url = `${beacon.replace(/\/$/, '')}/eth/v1/beacon/light_client/${path}`
    return parseJson(await download(url), `The answer of ${new URL(beacon).host}`)
  }
  const now = slotAt(network, Date.now() / 1_000)
  const bootstrap = readBootstrap(
    member(await ask(`bootstrap/${checkpoint}`), 'data'),
    'The bootstrap',
  )
  let store = startAt(network, bootstrap, checkpoint)
  const reaches = () => store.final !== null && store.final.number >= number
  for (let period = store.period; !reaches() && period <= periodOf(network, now); ) {
    const path = `updates?start_period=${period}&count=${UPDATES_AT_ONCE}`
    const updates = await ask(path)
    if (!Array.isArray(updates) || updates.length === 0) break
    for (const update of updates) {
      if (reaches()) break
      store = follow(network, store, readUpdate(member(update, 'data'), 'An update'), now)
    }
    period += updates.length
  }
  if (!reaches()) {
    const update = readFinalityUpdate(member(await ask('finality_update'), 'data'), 'The update')
    store = follow(network, store, update, now)
  }
  if (store.final === null || store.final.number < number) {
    throw new Unchecked(`Block ${number} is not final yet: ${store.final?.number ?? 'none'} is.`)
  }
  return store.final
}
