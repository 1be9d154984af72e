import {
  type FinalBlock,
  type FinalityUpdate,
  follow,
  NETWORKS,
  type Network,
  periodOf,
  readBootstrap,
  readFinalityUpdate,
  readUpdate,
  readVersioned,
  slotAt,
  startAt,
} from '../verifier/consensus/index.ts'
import type { HeaderAnswer } from '../verifier/index.ts'
import { download } from './download.ts'
import { findAncestor } from './find-ancestor.ts'
import { openNode, parseJson, Unchecked } from './one-node.ts'

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

/**
 * The first proven final block from `number` on, so that the way to `number` is short. At least one
 * update is verified, because a checkpoint alone does not say of which network it is.
 */
const finalBlockFrom = async (
  network: Network,
  { checkpoint, beacon }: Pick<Options, 'checkpoint' | 'beacon'>,
  number: number,
): Promise<FinalBlock> => {
  const ask = createBeaconNode(beacon)
  const now = slotAt(network, Date.now() / 1_000)
  const first = await ask(`bootstrap/${checkpoint}`)
  let store = startAt(network, readVersioned(first, readBootstrap, 'The bootstrap'), checkpoint)
  let [found, isSigned] = [store.final, false]
  const isFound = () => isSigned && found !== null && found.number >= number
  const take = (update: FinalityUpdate): void => {
    // Without finality, the final header is the default one, of slot 0.
    if (isFound() || update.finalized_header.beacon.slot === '0') return
    store = follow(network, store, update, now)
    isSigned = true
    if (found === null || found.number < number) found = store.final
  }
  for (let period = store.period; !isFound() && period <= periodOf(network, now); ) {
    const updates = await ask('updates', { start_period: period, count: UPDATES_AT_ONCE })
    if (!Array.isArray(updates)) throw new Unchecked('The beacon node sent no list of updates.')
    if (updates.length === 0) break
    for (const update of updates) take(readVersioned(update, readUpdate, 'An update'))
    period += updates.length
  }
  if (!isFound()) {
    take(readVersioned(await ask('finality_update'), readFinalityUpdate, 'The update'))
  }
  if (!isFound() || found === null) {
    throw new Unchecked(`Block ${number} is not final yet: ${found?.number ?? 'none'} is.`)
  }
  return found
}

/** Asks a beacon node (Beacon APIs, `/eth/v1/beacon/light_client`). */
const createBeaconNode = (beacon: string) => {
  if (!URL.canParse(beacon)) throw new Unchecked('--beacon is not a URL.')
  return async (path: string, query: Record<string, number> = {}): Promise<unknown> => {
    const url = new URL(beacon)
    url.pathname = `${url.pathname.replace(/\/$/, '')}/eth/v1/beacon/light_client/${path}`
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
    const text = await download(url.href)
    // Hex digits may be upper-case.
    return parseJson(text.toLowerCase(), `The answer of ${url.host}`)
  }
}
