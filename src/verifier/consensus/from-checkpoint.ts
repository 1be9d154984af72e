import { demand } from '../bytes.ts'
import { integer, list, record, text } from '../shape.ts'
import { descend } from './ancestors.ts'
import type { Finality } from './finality.ts'
import { finalBlockOf, follow, startAt } from './light-client.ts'
import {
  type Bootstrap,
  type FinalityUpdate,
  readBootstrap,
  readUpdate,
  type Update,
} from './messages.ts'
import { FORKS, type Fork, NETWORKS, type Network, periodOf, slotAt } from './networks.ts'
import { COMMITTEE } from './source-names.ts'

/** What leads from a checkpoint on, as GET /api/finality/:chainId/updates answers. */
export type Archive = {
  chainId: number
  /** Only of a chain that NETWORKS lacks. */
  network: Omit<Network, 'unknown'> | null
  bootstrap: Bootstrap
  /** The updates of the periods from the one of the bootstrap on, without a gap. */
  updates: Update[]
}

/** The block of a donation, and the `finality` of its proof. */
type Wanted = { chainId: number; number: number; finality: Finality }

/** The archive answers with at most this number of updates, which is 72 days on Ethereum. */
export const MOST_UPDATES = 64

const version = text(/^0x[0-9a-f]{8}$/)
const fork = record<NonNullable<Network['forks'][Fork]>>({ epoch: integer(0), version })
const network = record<Omit<Network, 'unknown'>>({
  ...{ name: text(/^.{1,40}$/), genesisRoot: text(/^0x[0-9a-f]{64}$/), genesisTime: integer(0) },
  ...{ secondsPerSlot: integer(1), slotsPerEpoch: integer(1), epochsPerPeriod: integer(1) },
  forks: record<Network['forks']>(
    { altair: fork, bellatrix: fork, capella: fork, deneb: fork, electra: fork, fulu: fork },
    FORKS,
  ),
})

/** Reads an answer of the archive. Throws Refusal if it has another form. */
export const readArchive = record<Archive>({
  chainId: integer(1),
  network: (value, at) => (value === null ? null : network(value, at)),
  bootstrap: readBootstrap,
  updates: list(MOST_UPDATES, readUpdate),
})

/**
 * Proves the hash of a block from a checkpoint on, without asking anyone. The root of the final
 * block of `finality` is a checkpoint too, and needs no archive.
 *
 * @param now in Unix seconds
 * @returns the hash of block `number`
 * @throws Refusal with the reason if something is missing or wrong; UnknownFork
 */
export const hashFromCheckpoint = (
  { chainId, number, finality }: Wanted,
  checkpoint: string,
  archive: Archive | null,
  now: number,
): { source: string; hash: string } => {
  const known = NETWORKS.get(chainId)
  const own = known ?? (archive?.chainId === chainId ? archive.network : null)
  demand(known !== undefined || archive !== null, 'The updates of the committee are missing.')
  demand(own !== null, `The sync committee of chain ${chainId} is not known.`)
  demand(
    known !== undefined || ![...NETWORKS.values()].some(isSameNetwork(own)),
    `The updates describe the network of another chain as the one of chain ${chainId}.`,
  )
  const { update } = finality
  const final = finalBlockOf(own, update)
  demand(final !== null, 'The final block is from before the fork Capella.')
  let source: string = known ? COMMITTEE.known : COMMITTEE.described
  if (final.root === checkpoint) {
    source = COMMITTEE.checkpoint
    // No signature says of which chain the block is, but only this chain has a slot at that time.
    const { slot } = final
    const time = Number(update.finalized_header.execution?.timestamp)
    demand(
      slot <= slotAt(own, now) &&
        (!known || time === known.genesisTime + slot * known.secondsPerSlot),
      'The checkpoint is of another chain.',
    )
  } else {
    demand(archive !== null, 'The updates of the committee are missing.')
    demand(archive.chainId === chainId, `The updates are of chain ${archive.chainId}.`)
    verifyFrom(own, checkpoint, archive, update, slotAt(own, now))
  }
  return { source, hash: descend(final, number, finality) }
}

const isSameNetwork = (one: Pick<Network, 'genesisRoot'>) => (other: Network) =>
  one.genesisRoot === other.genesisRoot

const verifyFrom = (
  network: Network,
  checkpoint: string,
  { bootstrap, updates }: Archive,
  update: FinalityUpdate,
  newest: number,
): void => {
  let store = startAt(network, bootstrap, checkpoint)
  const last = periodOf(network, Number(update.signature_slot))
  for (const one of updates) {
    if (store.period === last || (store.period === last - 1 && store.next !== null)) break
    store = follow(network, store, one, newest)
  }
  demand(last >= store.period, 'The checkpoint is newer than the donation: take an older one.')
  demand(
    last === store.period || (last === store.period + 1 && store.next !== null),
    'The updates end before this donation: load them again, or take a newer checkpoint.',
  )
  follow(network, store, update, newest)
}
