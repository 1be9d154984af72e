import type {
  BeaconHeader,
  ExecutionHeader,
  LightClientHeader,
  SyncCommittee,
  Update,
  Versioned,
} from '../../../src/verifier/consensus/messages.ts'

/** The names of forks by their digests on mainnet, in recorded answers. */
const FORK_OF_DIGEST: Readonly<Record<string, string>> = {
  '6a95a1a9': 'deneb',
  ad532ceb: 'electra',
}

const hex = (bytes: Buffer): string => `0x${bytes.toString('hex')}`

/** Reads fields of fixed lengths, one after another. */
const createReader = (bytes: Buffer) => {
  let at = 0
  const take = (length: number): Buffer => {
    at += length
    return bytes.subarray(at - length, at)
  }
  return {
    take,
    hex: (length: number) => hex(take(length)),
    uint: () => take(8).readBigUInt64LE().toString(),
    offset: () => take(4).readUInt32LE(),
    branch: (length: number) => Array.from({ length }, () => hex(take(32))),
  }
}

const readBeacon = (read: ReturnType<typeof createReader>): BeaconHeader => ({
  slot: read.uint(),
  proposer_index: read.uint(),
  parent_root: read.hex(32),
  state_root: read.hex(32),
  body_root: read.hex(32),
})

const readExecution = (bytes: Buffer): ExecutionHeader => {
  const read = createReader(bytes)
  const header = {
    ...{ parent_hash: read.hex(32), fee_recipient: read.hex(20), state_root: read.hex(32) },
    ...{ receipts_root: read.hex(32), logs_bloom: read.hex(256), prev_randao: read.hex(32) },
    ...{ block_number: read.uint(), gas_limit: read.uint(), gas_used: read.uint() },
    ...{ timestamp: read.uint(), extra_data: hex(bytes.subarray(read.offset())) },
    base_fee_per_gas: BigInt(hex(Buffer.from(read.take(32)).reverse())).toString(),
    ...{
      block_hash: read.hex(32),
      transactions_root: read.hex(32),
      withdrawals_root: read.hex(32),
    },
  }
  return { ...header, blob_gas_used: read.uint(), excess_blob_gas: read.uint() }
}

const readHeader = (bytes: Buffer): LightClientHeader => {
  const read = createReader(bytes)
  const beacon = readBeacon(read)
  const offset = read.offset()
  const execution_branch = read.branch(4)
  return { beacon, execution: readExecution(bytes.subarray(offset)), execution_branch }
}

const readCommittee = (read: ReturnType<typeof createReader>): SyncCommittee => ({
  pubkeys: Array.from({ length: 512 }, () => read.hex(48)),
  aggregate_pubkey: read.hex(48),
})

/** Reads an update of Deneb or Electra from its SSZ (consensus-specs, `LightClientUpdate`). */
const readUpdate = (bytes: Buffer, fork: string): Update => {
  const isElectra = fork === 'electra'
  const read = createReader(bytes)
  const attestedAt = read.offset()
  const next_sync_committee = readCommittee(read)
  const next_sync_committee_branch = read.branch(isElectra ? 6 : 5)
  const finalizedAt = read.offset()
  const finality_branch = read.branch(isElectra ? 7 : 6)
  const sync_aggregate = {
    sync_committee_bits: read.hex(64),
    sync_committee_signature: read.hex(96),
  }
  const signature_slot = read.uint()
  return {
    attested_header: readHeader(bytes.subarray(attestedAt, finalizedAt)),
    ...{ next_sync_committee, next_sync_committee_branch },
    finalized_header: readHeader(bytes.subarray(finalizedAt)),
    ...{ finality_branch, sync_aggregate, signature_slot },
  }
}

/** Reads an SSZ answer of `light_client/updates`: length, fork digest and update, repeated. */
export const readSszUpdates = (bytes: Buffer): Versioned<Update>[] => {
  const updates: Versioned<Update>[] = []
  for (let at = 0; at < bytes.length; ) {
    const length = Number(bytes.readBigUInt64LE(at))
    const version = FORK_OF_DIGEST[bytes.toString('hex', at + 8, at + 12)] ?? 'unknown'
    const data = readUpdate(bytes.subarray(at + 12, at + 8 + length), version)
    updates.push({ version, data })
    at += 8 + length
  }
  return updates
}
