import {
  type Bootstrap,
  type FinalityUpdate,
  follow,
  type Network,
  periodOf,
  type Store,
  startAt,
  type Update,
} from '../../verifier/consensus/index.ts'
import type { BeaconFeed } from './feed.ts'

/** A verified message, and what is known with it. */
export type Verified = { store: Store } & (
  | { kind: 'bootstrap'; message: Bootstrap }
  | { kind: 'update'; message: Update }
  | { kind: 'finality'; message: FinalityUpdate }
)

type Start = {
  /** What is known already; null at first. */
  store: Store | null
  /** The root of the first block, which is trusted. */
  checkpoint: string
  /** The newest slot that can exist. */
  nowSlot: number
}

/**
 * Verifies what a feed adds to the known state: the committee of each later period, and then the
 * newest final block. Yields each verified message that is new. Returns the slot of the final block
 * that the feed reports.
 *
 * @throws Refusal for a message that does not verify, UnknownFork, ChainError if the feed is away
 */
export async function* followFeed(
  network: Network,
  feed: BeaconFeed,
  { store, checkpoint, nowSlot }: Start,
): AsyncGenerator<Verified, number> {
  let known = store
  if (known === null) {
    const bootstrap = await feed.bootstrap(checkpoint)
    known = startAt(network, bootstrap, checkpoint)
    yield { kind: 'bootstrap', message: bootstrap, store: known }
  }
  let period = known.period + (known.next === null ? 0 : 1)
  while (period <= periodOf(network, nowSlot)) {
    const updates = await feed.updates(period)
    if (updates.length === 0) break
    for (const update of updates) {
      if (isEmpty(update)) continue
      const { next } = known
      known = follow(network, known, update, nowSlot)
      if (known.next !== null && known.next !== next) {
        yield { kind: 'update', message: update, store: known }
      }
    }
    period += updates.length
  }
  const update = await feed.finalityUpdate()
  const slot = Number(update.finalized_header.beacon.slot)
  if (slot > known.finalSlot) {
    known = follow(network, known, update, nowSlot)
    yield { kind: 'finality', message: update, store: known }
  }
  return slot
}

/** Without finality, the final header is the default one, of slot 0. */
const isEmpty = (update: FinalityUpdate): boolean => update.finalized_header.beacon.slot === '0'
