import { bls12_381 } from '@noble/curves/bls12-381'
import { concat, sha256, toHex } from '../../verifier/bytes.ts'
import { committeeRoot, executionRoot, headerRoot } from '../../verifier/consensus/headers.ts'
import type {
  BeaconHeader,
  Bootstrap,
  ExecutionHeader,
  LightClientHeader,
  SyncCommittee,
  Update,
} from '../../verifier/consensus/messages.ts'
import { forkAt, type Network } from '../../verifier/consensus/networks.ts'
import { signingRoot } from '../../verifier/consensus/signature.ts'

const { G1, longSignatures, fields } = bls12_381
const MEMBERS = 512
const DST = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'
const ZERO = new Uint8Array(32)
/** The flags of a compressed point: its first and its third bit. */
const [COMPRESSED, LARGER_Y] = [1n << 383n, 1n << 381n]

/** The committee of a period, with its secret keys and its root. */
export type DevCommittee = { secrets: bigint[]; committee: SyncCommittee; root: Uint8Array }

const made = new Map<number, DevCommittee>()

/** Makes a committee. `seed` decides its keys. Each is made once in a process. */
export const makeCommittee = (seed: number): DevCommittee => {
  const known = made.get(seed)
  if (known) return known
  // Key i is seed * 1000 + i, so the points follow from one another by additions.
  const first = BigInt(seed) * 1_000n + 1n
  const secrets = Array.from({ length: MEMBERS }, (_, index) => first + BigInt(index))
  const points = [G1.Point.BASE.multiply(first)]
  for (const point of points) {
    if (points.length < MEMBERS) points.push(point.add(G1.Point.BASE))
  }
  const aggregate = G1.Point.BASE.multiply(sumOf(secrets))
  // All divisions at once, because each takes long.
  const [aggregate_pubkey = '', ...pubkeys] = G1.Point.normalizeZ([aggregate, ...points]).map(
    (point) => keyTextOf(point.toAffine()),
  )
  const committee = { pubkeys, aggregate_pubkey }
  const complete = { secrets, committee, root: committeeRoot(committee) }
  made.set(seed, complete)
  return complete
}

/** A compressed key. `toHex` of the point needs 25 times as long, because it checks the point. */
const keyTextOf = ({ x, y }: { x: bigint; y: bigint }): string =>
  `0x${(COMPRESSED + (2n * y > fields.Fp.ORDER ? LARGER_Y : 0n) + x).toString(16)}`

const sumOf = (secrets: readonly bigint[]): bigint =>
  secrets.reduce((sum, one) => fields.Fr.add(sum, one), 0n)

/** The signature of the first `present` members over a root, and their bits. */
const signAs = ({ secrets }: DevCommittee, present: number, root: Uint8Array) => {
  // These keys are no secret and small, so the fast way that takes unequal times is good enough.
  const signature = longSignatures.hash(root, DST).multiplyUnsafe(sumOf(secrets.slice(0, present)))
  const bits = new Uint8Array(MEMBERS / 8)
  for (let index = 0; index < present; index++)
    bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7))
  return {
    sync_committee_bits: toHex(bits),
    sync_committee_signature: `0x${signature.toHex(true)}`,
  }
}

type Leaves = ReadonlyMap<number, Uint8Array>

/** The root of a tree that has only these leaves, by generalized index. */
const rootOf = (leaves: Leaves, index = 1): Uint8Array => {
  const leaf = leaves.get(index)
  if (leaf) return leaf
  const below = [...leaves.keys()].some((one) => isBelow(one, index))
  if (!below) return ZERO
  return sha256(concat([rootOf(leaves, 2 * index), rootOf(leaves, 2 * index + 1)]))
}

const isBelow = (one: number, index: number): boolean =>
  one > index && one >> (Math.floor(Math.log2(one)) - Math.floor(Math.log2(index))) === index

const branchOf = (leaves: Leaves, index: number): string[] => {
  const branch: string[] = []
  for (let at = index; at > 1; at >>= 1) branch.push(toHex(rootOf(leaves, at ^ 1)))
  return branch
}

/** A block of the chain whose committee signs. */
export type NamedBlock = { number: number; hash: string; stateRoot: string }

const EXECUTION_INDEX = 25
const [FINALIZED, CURRENT, NEXT] = [169, 86, 87]

const executionOf = ({ number, hash, stateRoot }: NamedBlock): ExecutionHeader => ({
  ...{ parent_hash: toHex(ZERO), fee_recipient: `0x${'00'.repeat(20)}`, state_root: stateRoot },
  ...{ receipts_root: toHex(ZERO), logs_bloom: `0x${'00'.repeat(256)}`, prev_randao: toHex(ZERO) },
  ...{ block_number: String(number), gas_limit: '0', gas_used: '0', timestamp: '0' },
  ...{ extra_data: '0x', base_fee_per_gas: '7', block_hash: hash, transactions_root: toHex(ZERO) },
  ...{ withdrawals_root: toHex(ZERO), blob_gas_used: '0', excess_blob_gas: '0' },
})

/** A header over a block, whose state has these leaves. */
const headerOf = (slot: number, block: NamedBlock, state: Leaves): LightClientHeader => {
  const execution = executionOf(block)
  const body: Leaves = new Map([[EXECUTION_INDEX, executionRoot(execution, true)]])
  const beacon: BeaconHeader = {
    ...{ slot: String(slot), proposer_index: '1', parent_root: toHex(ZERO) },
    ...{ state_root: toHex(rootOf(state)), body_root: toHex(rootOf(body)) },
  }
  return { beacon, execution, execution_branch: branchOf(body, EXECUTION_INDEX) }
}

export type Asked = {
  network: Network
  /** The committee that signs, the one of the attested period and the one after it. */
  signers: DevCommittee
  current: DevCommittee
  next: DevCommittee
  /** The committee of the final block's period. Default: `current`. */
  final?: DevCommittee
  slots: { signature: number; attested: number; finalized: number }
  block: NamedBlock
  present?: number
}

/** An update that its committee has signed. */
export const makeUpdate = ({
  network,
  signers,
  current,
  next,
  final = current,
  slots,
  block,
  present = MEMBERS,
}: Asked): Update => {
  const finalized = headerOf(slots.finalized, block, new Map([[CURRENT, final.root]]))
  const state: Leaves = new Map([
    [FINALIZED, headerRoot(finalized.beacon)],
    [CURRENT, current.root],
    [NEXT, next.root],
  ])
  const attested = headerOf(slots.attested, { ...block, number: block.number + 1 }, state)
  const { version } = forkAt(network, slots.signature - 1)
  const root = signingRoot(headerRoot(attested.beacon), network, version)
  return {
    attested_header: attested,
    next_sync_committee: next.committee,
    next_sync_committee_branch: branchOf(state, NEXT),
    finalized_header: finalized,
    finality_branch: branchOf(state, FINALIZED),
    sync_aggregate: signAs(signers, present, root),
    signature_slot: String(slots.signature),
  }
}

/** A bootstrap at a slot, and the checkpoint that it belongs to. */
export const makeBootstrap = (
  slot: number,
  { committee, root }: DevCommittee,
  block: NamedBlock,
): { bootstrap: Bootstrap; checkpoint: string } => {
  const state: Leaves = new Map([[CURRENT, root]])
  const header = headerOf(slot, block, state)
  return {
    bootstrap: {
      header,
      current_sync_committee: committee,
      current_sync_committee_branch: branchOf(state, CURRENT),
    },
    checkpoint: toHex(headerRoot(header.beacon)),
  }
}
