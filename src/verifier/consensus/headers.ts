import { demand, fromHex } from '../bytes.ts'
import type { BeaconHeader, ExecutionHeader, SyncCommittee } from './messages.ts'
import { type Chunk, merkleize, rootOfBytes, rootOfShortList, rootOfUint } from './ssz.ts'

const uint = (text: string, bytes = 8): Chunk => rootOfUint(BigInt(text), bytes)
const bytes = (text: string): Chunk => rootOfBytes(fromHex(text))

/** `hash_tree_root` of a BeaconBlockHeader: the block root. */
export const headerRoot = (header: BeaconHeader): Chunk =>
  merkleize([
    uint(header.slot),
    uint(header.proposer_index),
    fromHex(header.parent_root),
    fromHex(header.state_root),
    fromHex(header.body_root),
  ])

/** `hash_tree_root` of an ExecutionPayloadHeader of Capella or, with `hasBlobs`, since Deneb. */
export const executionRoot = (header: ExecutionHeader, hasBlobs: boolean): Chunk => {
  const { blob_gas_used: used, excess_blob_gas: excess } = header
  demand(
    (used !== undefined) === hasBlobs && (excess !== undefined) === hasBlobs,
    'An execution header has not the fields of its fork.',
  )
  return merkleize([
    fromHex(header.parent_hash),
    bytes(header.fee_recipient),
    fromHex(header.state_root),
    fromHex(header.receipts_root),
    bytes(header.logs_bloom),
    fromHex(header.prev_randao),
    uint(header.block_number),
    uint(header.gas_limit),
    uint(header.gas_used),
    uint(header.timestamp),
    rootOfShortList(fromHex(header.extra_data)),
    uint(header.base_fee_per_gas, 32),
    fromHex(header.block_hash),
    fromHex(header.transactions_root),
    fromHex(header.withdrawals_root),
    ...(hasBlobs ? [uint(used ?? ''), uint(excess ?? '')] : []),
  ])
}

/** `hash_tree_root` of a SyncCommittee. */
export const committeeRoot = ({ pubkeys, aggregate_pubkey }: SyncCommittee): Chunk =>
  merkleize([merkleize(pubkeys.map(bytes)), bytes(aggregate_pubkey)])
