import { demand } from '../../verifier/bytes.ts'
import {
  type Bootstrap,
  type FinalityUpdate,
  follow,
  type Network,
  periodOf,
  type Store,
  slotAt,
  startAt,
  type Update,
} from '../../verifier/consensus/index.ts'
import { ChainError } from '../errors.ts'
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
  now(): Date
  /** Whether others need a bootstrap in the period of a slot to begin with. Default: no. */
  lacksBootstrap?(slot: number): Promise<boolean>
}

/** The clock of a machine may be this late, and answers take time. */
const LATE_MS = 30_000

/** The newest slot that can exist. */
const newestSlot = (network: Network, now: Date): number =>
  slotAt(network, (now.getTime() + LATE_MS) / 1_000)

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
  { store, checkpoint, now, lacksBootstrap }: Start,
): AsyncGenerator<Verified, number> {
  let known = store
  if (known === null) {
    const bootstrap = await feed.bootstrap(checkpoint)
    known = startAt(network, bootstrap, checkpoint)
    yield { kind: 'bootstrap', message: bootstrap, store: known }
  }
  const last = periodOf(network, slotAt(network, now().getTime() / 1_000))
  for (;;) {
    const period = wantedPeriod(known)
    const updates = period > last ? [] : await askUpdates(feed, period, last)
    for (const [index, update] of updates.entries()) {
      // Without finality, the final header is the default one, of slot 0.
      if (update.finalized_header.beacon.slot === '0') break
      const { slot } = update.attested_header.beacon
      demand(
        periodOf(network, Number(slot)) === period + index,
        'The beacon node sent the update of another period.',
      )
      known = follow(network, known, update, newestSlot(network, now()))
      // The update may prove no next committee, because its final header is of the period before.
      if (wantedPeriod(known) === period + index) break
      yield { kind: 'update', message: update, store: known }
    }
    if (wantedPeriod(known) === period) break
  }
  const update = await feed.finalityUpdate()
  const slot = Number(update.finalized_header.beacon.slot)
  if (slot < known.finalSlot) return slot
  const { finalSlot } = known
  // A message about the same block is verified too, because its feed may lie.
  known = follow(network, known, update, newestSlot(network, now()))
  if (slot > finalSlot) yield { kind: 'finality', message: update, store: known }
  const { final } = known
  if (final !== null && final.slot === slot && (await lacksBootstrap?.(slot))) {
    const bootstrap = await askBootstrap(feed, final.root)
    if (bootstrap !== null) {
      startAt(network, bootstrap, final.root)
      yield { kind: 'bootstrap', message: bootstrap, store: known }
    }
  }
  return slot
}

/** Some servers have bootstraps only for some blocks. The next final block is tried again. */
const askBootstrap = (feed: BeaconFeed, root: string): Promise<Bootstrap | null> =>
  feed.bootstrap(root).catch((error: unknown) => {
    if (error instanceof ChainError) return null
    throw error
  })

/** The first period whose update is not known yet. */
const wantedPeriod = ({ period, next }: Store): number => period + (next === null ? 0 : 1)

/** Some servers answer with an error while the last period has no update. */
const askUpdates = (feed: BeaconFeed, period: number, last: number): Promise<Update[]> =>
  feed.updates(period, last - period + 1).catch((error: unknown) => {
    if (error instanceof ChainError && period === last) return []
    throw error
  })
