import { demand } from '../bytes.ts'
import { list, record, type Shape, text } from '../shape.ts'
import { FORKS, UnknownFork } from './networks.ts'

/**
 * The answers of `/eth/v1/beacon/light_client/…` (Beacon APIs), with the names of consensus-specs.
 * Integers are decimal text, bytes are lower-case hex.
 */
export type BeaconHeader = {
  slot: string
  proposer_index: string
  parent_root: string
  state_root: string
  body_root: string
}

export type ExecutionHeader = {
  parent_hash: string
  fee_recipient: string
  state_root: string
  receipts_root: string
  logs_bloom: string
  prev_randao: string
  block_number: string
  gas_limit: string
  gas_used: string
  timestamp: string
  extra_data: string
  base_fee_per_gas: string
  block_hash: string
  transactions_root: string
  withdrawals_root: string
  /** Since Deneb. */
  blob_gas_used?: string
  excess_blob_gas?: string
}

export type LightClientHeader = {
  beacon: BeaconHeader
  /** Since Capella. */
  execution?: ExecutionHeader
  execution_branch?: string[]
}

export type SyncCommittee = { pubkeys: string[]; aggregate_pubkey: string }

export type Bootstrap = {
  header: LightClientHeader
  current_sync_committee: SyncCommittee
  current_sync_committee_branch: string[]
}

export type FinalityUpdate = {
  attested_header: LightClientHeader
  finalized_header: LightClientHeader
  finality_branch: string[]
  sync_aggregate: { sync_committee_bits: string; sync_committee_signature: string }
  signature_slot: string
}

export type Update = FinalityUpdate & {
  next_sync_committee: SyncCommittee
  next_sync_committee_branch: string[]
}

/** A message with the name of its fork, as beacon nodes send it. */
export type Versioned<T> = { version: string; data: T }

/**
 * Reads the data of a message in the form of one of the functions below.
 *
 * @throws UnknownFork if the message names a fork that this version does not know
 * @throws Refusal if the message has another form
 */
export const readVersioned = <T>(message: unknown, read: Shape<T>, at: string): T => {
  const { version, data } = (message ?? {}) as Partial<Versioned<unknown>>
  demand(typeof version === 'string', `${at} names no fork.`)
  if (!FORKS.some((fork) => fork === version)) throw new UnknownFork(version)
  return read(data, at)
}

const bytes = (length: number) => text(new RegExp(`^0x[0-9a-f]{${2 * length}}$`))
const hash = bytes(32)
const uint = text(/^(0|[1-9]\d{0,77})$/)
const branch = list(16, hash)

const beaconHeader = record<BeaconHeader>({
  ...{ slot: uint, proposer_index: uint },
  ...{ parent_root: hash, state_root: hash, body_root: hash },
})

const executionHeader = record<ExecutionHeader>(
  {
    ...{ parent_hash: hash, fee_recipient: bytes(20), state_root: hash, receipts_root: hash },
    ...{ logs_bloom: bytes(256), prev_randao: hash, block_number: uint, gas_limit: uint },
    ...{ gas_used: uint, timestamp: uint, extra_data: text(/^0x([0-9a-f]{2}){0,32}$/) },
    ...{ base_fee_per_gas: uint, block_hash: hash, transactions_root: hash },
    ...{ withdrawals_root: hash, blob_gas_used: uint, excess_blob_gas: uint },
  },
  ['blob_gas_used', 'excess_blob_gas'],
)

const header = record<LightClientHeader>(
  {
    beacon: beaconHeader,
    execution: executionHeader,
    execution_branch: branch,
  },
  ['execution', 'execution_branch'],
)

const syncCommittee: Shape<SyncCommittee> = (value, at) => {
  const found = record<SyncCommittee>({
    pubkeys: list(512, bytes(48)),
    aggregate_pubkey: bytes(48),
  })(value, at)
  demand(found.pubkeys.length === 512, `${at} has not 512 keys.`)
  return found
}

const FINALITY = {
  ...{ attested_header: header, finalized_header: header, finality_branch: branch },
  sync_aggregate: record<FinalityUpdate['sync_aggregate']>({
    ...{ sync_committee_bits: bytes(64), sync_committee_signature: bytes(96) },
  }),
  signature_slot: uint,
}

/** Each function checks the form of a message. Throws Refusal if it has another form. */
export const readBootstrap = record<Bootstrap>({
  ...{ header, current_sync_committee: syncCommittee, current_sync_committee_branch: branch },
})

export const readUpdate = record<Update>({
  ...FINALITY,
  ...{ next_sync_committee: syncCommittee, next_sync_committee_branch: branch },
})

export const readFinalityUpdate = record<FinalityUpdate>(FINALITY)
