import { demand, fromHex, toHex } from '../bytes.ts'
import { committeeRoot, executionRoot, headerRoot } from './headers.ts'
import type {
  Bootstrap,
  FinalityUpdate,
  LightClientHeader,
  SyncCommittee,
  Update,
} from './messages.ts'
import { forkAt, isSince, type Network, periodOf } from './networks.ts'
import { signingRoot, verifyCommittee } from './signature.ts'
import { isInTree } from './ssz.ts'

/** A block of the execution layer that the committee of its chain has made final. */
export type FinalBlock = {
  slot: number
  /** The root of the beacon block: 32 bytes with which others can begin. */
  root: string
  number: number
  hash: string
  stateRoot: string
}

/** What a light client knows: the committee of a period, perhaps the next, and a final block. */
export type Store = {
  period: number
  committee: SyncCommittee
  next: SyncCommittee | null
  /** Null while the newest final header has no execution header (before Capella). */
  final: FinalBlock | null
  finalSlot: number
}

/** Generalized indices in the beacon state, before and since Electra (consensus-specs). */
const INDICES = {
  current: [54, 86],
  next: [55, 87],
  finalized: [105, 169],
} as const

/** The generalized index of the execution payload in the body of a block. */
const EXECUTION_INDEX = 25

const indexOf = (network: Network, what: keyof typeof INDICES, slot: number): number =>
  INDICES[what][isSince(network, slot, 'electra') ? 1 : 0]

const slotOf = (header: LightClientHeader): number => Number(header.beacon.slot)

/**
 * Checks that an execution header belongs to its beacon header (`is_valid_light_client_header`).
 * Returns the block; null for a header from before Capella.
 */
const blockOf = (network: Network, { beacon, execution, execution_branch }: LightClientHeader) => {
  const slot = Number(beacon.slot)
  if (!isSince(network, slot, 'capella')) {
    demand(execution === undefined, 'A header of an early fork has an execution header.')
    return null
  }
  demand(
    execution !== undefined && execution_branch !== undefined,
    'An execution header is missing.',
  )
  const hasBlobs = isSince(network, slot, 'deneb')
  demand(
    isInTree(
      executionRoot(execution, hasBlobs),
      execution_branch,
      EXECUTION_INDEX,
      beacon.body_root,
    ),
    'An execution header does not belong to its beacon block.',
  )
  return {
    ...{ slot, root: toHex(headerRoot(beacon)), number: Number(execution.block_number) },
    ...{ hash: execution.block_hash, stateRoot: execution.state_root },
  }
}

/** The final block of a message that is verified already; null for one from before Capella. */
export const finalBlockOf = (network: Network, message: Bootstrap | FinalityUpdate) =>
  blockOf(network, 'header' in message ? message.header : message.finalized_header)

/**
 * Begins with a block root that the caller trusts (consensus-specs,
 * `initialize_light_client_store`).
 *
 * @throws Refusal if the bootstrap does not belong to the checkpoint
 * @throws UnknownFork
 */
export const startAt = (network: Network, bootstrap: Bootstrap, checkpoint: string): Store => {
  const { header, current_sync_committee: committee } = bootstrap
  const slot = slotOf(header)
  demand(
    toHex(headerRoot(header.beacon)) === checkpoint,
    'The first header is not the one of the checkpoint: this is another checkpoint, or another chain.',
  )
  demand(
    isInTree(
      committeeRoot(committee),
      bootstrap.current_sync_committee_branch,
      indexOf(network, 'current', slot),
      header.beacon.state_root,
    ),
    'The committee does not belong to the header of the checkpoint.',
  )
  const final = blockOf(network, header)
  return { period: periodOf(network, slot), committee, next: null, final, finalSlot: slot }
}

/**
 * Verifies a finality update (consensus-specs, `validate_light_client_update`), and the next
 * committee if the update has one. Returns what is known then. An older block changes nothing.
 *
 * @param nowSlot the newest slot that can exist by the clock of the caller
 * @throws Refusal with the reason if the update is invalid
 * @throws UnknownFork
 */
export const follow = (
  network: Network,
  store: Store,
  update: FinalityUpdate | Update,
  nowSlot: number,
): Store => {
  const { attested_header: attested, finalized_header: finalized, sync_aggregate } = update
  const signatureSlot = Number(update.signature_slot)
  const [attestedSlot, finalSlot] = [slotOf(attested), slotOf(finalized)]
  demand(
    nowSlot >= signatureSlot && signatureSlot > attestedSlot && attestedSlot >= finalSlot,
    'The slots of an update are not in their order, or in the future.',
  )
  const committee = committeeOf(store, periodOf(network, signatureSlot))
  blockOf(network, attested)
  const final = blockOf(network, finalized)
  demand(
    isInTree(
      headerRoot(finalized.beacon),
      update.finality_branch,
      indexOf(network, 'finalized', attestedSlot),
      attested.beacon.state_root,
    ),
    'The final header does not belong to the header that the committee has signed.',
  )
  const next = nextOf(network, store, update)
  const { version } = forkAt(network, Math.max(signatureSlot, 1) - 1)
  verifyCommittee(
    committee,
    {
      bits: sync_aggregate.sync_committee_bits,
      signature: sync_aggregate.sync_committee_signature,
    },
    signingRoot(headerRoot(attested.beacon), network, version),
  )
  return advance(network, store, { next, final, finalSlot })
}

const committeeOf = (store: Store, period: number): SyncCommittee => {
  if (period === store.period) return store.committee
  demand(
    period === store.period + 1 && store.next !== null,
    `An update for period ${period} needs the one of the period before.`,
  )
  return store.next
}

/** The committee after the one of the attested header, if the update proves a final one. */
const nextOf = (network: Network, store: Store, update: FinalityUpdate | Update) => {
  if (!('next_sync_committee' in update)) return null
  const { attested_header: attested, next_sync_committee: next } = update
  const slot = slotOf(attested)
  demand(
    isInTree(
      committeeRoot(next),
      update.next_sync_committee_branch,
      indexOf(network, 'next', slot),
      attested.beacon.state_root,
    ),
    'The next committee does not belong to the header that the committee has signed.',
  )
  const period = periodOf(network, slot)
  const isFinal = period === periodOf(network, slotOf(update.finalized_header))
  if (period === store.period && store.next !== null && isFinal) {
    demand(
      store.next.aggregate_pubkey === next.aggregate_pubkey &&
        toHex(committeeRoot(store.next)) === toHex(committeeRoot(next)),
      'The next committee is not the one that an earlier update has proven.',
    )
  }
  return isFinal ? { period, committee: next } : null
}

type Proven = {
  next: { period: number; committee: SyncCommittee } | null
  final: FinalBlock | null
  finalSlot: number
}

/** What is known after a verified update (consensus-specs, `apply_light_client_update`). */
const advance = (network: Network, store: Store, { next, final, finalSlot }: Proven): Store => {
  const moved = { ...store }
  if (next?.period === store.period) moved.next = next.committee
  if (store.next !== null && periodOf(network, finalSlot) === store.period + 1) {
    moved.period = store.period + 1
    moved.committee = store.next
    moved.next = next?.period === moved.period ? next.committee : null
  }
  if (finalSlot > store.finalSlot) {
    moved.final = final
    moved.finalSlot = finalSlot
  }
  return moved
}

/** Reads a checkpoint: 32 bytes in hex. Throws Refusal for another form. */
export const readCheckpoint = (text: string): string => {
  const checkpoint = text.trim().toLowerCase()
  demand(/^0x[0-9a-f]{64}$/.test(checkpoint), 'A checkpoint is 0x and 64 hex digits.')
  return toHex(fromHex(checkpoint))
}
