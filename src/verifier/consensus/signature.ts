import { bls12_381 } from '@noble/curves/bls12-381'
import { concat, demand, fromHex, Refusal } from '../bytes.ts'
import type { SyncCommittee } from './messages.ts'
import type { Network } from './networks.ts'
import { merkleize, rootOfBytes } from './ssz.ts'

const MEMBERS = 512
/** DOMAIN_SYNC_COMMITTEE (consensus-specs, `specs/altair/beacon-chain.md`). */
const DOMAIN = Uint8Array.of(7, 0, 0, 0)
/** The hash to the curve of Ethereum's signatures, proof of possession scheme (RFC 9380). */
const DST = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'

const { G1, longSignatures, fields } = bls12_381
const { Fp } = fields

/** The members that have signed. Bit i of a Bitvector[512] is bit i % 8 of byte i / 8. */
const signersOf = (bits: string): boolean[] => {
  const bytes = fromHex(bits)
  return Array.from({ length: MEMBERS }, (_, index) => {
    const byte = bytes[index >> 3] ?? 0
    return ((byte >> (index & 7)) & 1) === 1
  })
}

/** What a sync committee signs for a block root (consensus-specs, `compute_signing_root`). */
export const signingRoot = (root: Uint8Array, network: Network, version: string): Uint8Array => {
  const forkData = merkleize([rootOfBytes(fromHex(version)), fromHex(network.genesisRoot)])
  return merkleize([root, concat([DOMAIN, forkData.subarray(0, 28)])])
}

/**
 * Verifies that at least two thirds of a committee have signed a root (consensus-specs,
 * `validate_light_client_update`). `committee` is proven, so its aggregate is the sum of its keys.
 * Fewer keys are decompressed if those of absent members are subtracted from the aggregate.
 *
 * @throws Refusal if too few have signed, or the signature is invalid
 */
export const verifyCommittee = (
  committee: SyncCommittee,
  { bits, signature }: { bits: string; signature: string },
  root: Uint8Array,
): void => {
  const signers = signersOf(bits)
  const present = signers.filter(Boolean).length
  demand(
    present * 3 >= MEMBERS * 2,
    `Only ${present} of ${MEMBERS} validators of the committee have signed, which is less than two thirds.`,
  )
  const absent = committee.pubkeys.filter((_, index) => !signers[index])
  demand(
    isSigned(committee.aggregate_pubkey, absent, signature, root),
    'The signature of the committee is invalid.',
  )
}

const isSigned = (
  aggregate: string,
  absent: readonly string[],
  signature: string,
  root: Uint8Array,
): boolean => {
  try {
    const key = absent.reduce((sum, one) => sum.subtract(keyOf(one)), keyOf(aggregate))
    // Only the sum has to be in the subgroup, because only the sum is verified.
    key.assertValidity()
    const point = longSignatures.Signature.fromHex(signature.slice(2))
    point.assertValidity()
    if (key.is0() || point.is0()) return false
    return longSignatures.verify(point, longSignatures.hash(root, DST), key)
  } catch (error) {
    if (error instanceof Refusal) throw error
    return false
  }
}

/**
 * Decompresses a key (ZCash's encoding: three flags, then x). It is a point on the curve; the chain
 * has checked that the keys of its validators are in the subgroup.
 */
const keyOf = (text: string) => {
  const flags = Number.parseInt(text.slice(2, 4), 16) >> 5
  demand((flags & 2) === 0, 'A key of the committee is the point at infinity.')
  const x = BigInt(text) & ((1n << 381n) - 1n)
  demand((flags & 4) !== 0 && Fp.isValid(x), 'A key of the committee is malformed.')
  const y = Fp.sqrt(Fp.add(Fp.mul(Fp.sqr(x), x), 4n))
  return G1.Point.fromAffine({ x, y: y > Fp.ORDER / 2n === (flags & 1) > 0 ? y : Fp.neg(y) })
}
