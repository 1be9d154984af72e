import { concat, demand, fromHex, sha256, toHex } from './bytes.ts'

/**
 * The version of the hash formats in this file. The service seals the ledger with these hashes, and
 * the verifier computes the same hashes. docs/proof.md specifies the formats.
 */
export const SEAL_VERSION = 1

/** The previous head of a seal that has no seal before it. */
export const NO_HEAD = `0x${'0'.repeat(64)}`

/** The fields of a ledger entry that its hash covers. docs/proof.md defines the format. */
export type SealedLeaf = {
  id: number
  kind: string
  /** `debit` and `credit` are kinds of ledger accounts, for example `custody` and `held`. */
  debit: string
  credit: string
  campaignId: string
  /** The asset's CAIP-19 name, or a fiat currency such as `iso4217:USD`. */
  asset: string
  /** The amount in base units, as decimal text. */
  amount: string
  donationId: string | null
  transfer: { chainId: number; txHash: string; position: number; recipient: string } | null
  /** How often the credit of the transfer was reversed before this entry. */
  generation: number | null
  block: { number: number; hash: string } | null
  milestoneId: string | null
  reverses: number | null
  /** The time as ISO 8601 text in UTC, with milliseconds. */
  createdAt: string
}

/** The fields of a seal from which its head, a hash, is computed. */
export type SealedHead = {
  campaignId: string
  seq: number
  previousHead: string
  root: string
  entries: number
  totalEntries: number
  sealedAt: string
}

/**
 * The hash of one entry, a leaf of the Merkle tree. The first hashed byte is 0 for a leaf and 1 for
 * an inner node, so that a node cannot pass as a leaf (RFC 6962, section 2.1).
 */
export const leafHash = (entry: SealedLeaf): string =>
  hashOf(LEAF, [
    encode('fundproof/ledger-entry', [
      text(entry.id),
      entry.kind,
      entry.debit,
      entry.credit,
      entry.campaignId,
      entry.asset,
      entry.amount,
      entry.donationId,
      text(entry.transfer?.chainId),
      entry.transfer?.txHash ?? null,
      text(entry.transfer?.position),
      entry.transfer?.recipient ?? null,
      text(entry.generation),
      text(entry.block?.number),
      entry.block?.hash ?? null,
      entry.milestoneId,
      text(entry.reverses),
      entry.createdAt,
    ]),
  ])

/** The hash of the parent of two nodes in a Merkle tree (RFC 6962, section 2.1). */
export const nodeHash = (left: string, right: string): string =>
  hashOf(NODE, [fromHex(left), fromHex(right)])

/** The head of a campaign's ledger after a seal. This hash covers all entries up to the seal. */
export const headHash = (seal: SealedHead): string =>
  hashOf(HEAD, [
    encode('fundproof/ledger-head', [
      seal.campaignId,
      text(seal.seq),
      seal.previousHead,
      seal.root,
      text(seal.entries),
      text(seal.totalEntries),
      seal.sealedAt,
    ]),
  ])

/** The global head: a hash that chains the seals of all campaigns in the order of creation. */
export const globalHeadHash = (previousGlobalHead: string, head: string): string =>
  hashOf(GLOBAL, [encode('fundproof/global-head', [previousGlobalHead, head])])

/** The bytes to sign for a seal with Ed25519 (RFC 8032). The caller must not hash these bytes. */
export const signedHead = (seal: {
  campaignId: string
  seq: number
  head: string
  globalHead: string
}): Uint8Array<ArrayBuffer> =>
  encode('fundproof/signed-head', [seal.campaignId, text(seal.seq), seal.head, seal.globalHead])

const LEAF = 0x00
const NODE = 0x01
const HEAD = 0x02
const GLOBAL = 0x03
const NOTHING = 0xffffffff

/**
 * Encodes the tag, the version and the fields. Each part is its length in four bytes (big-endian),
 * then its UTF-8 bytes, so that no two inputs have the same encoding. The length 0xffffffff stands
 * for a missing field (null), which differs from an empty field.
 */
const encode = (tag: string, fields: readonly (string | null)[]): Uint8Array<ArrayBuffer> => {
  const all = [tag, String(SEAL_VERSION), ...fields]
  // `length` counts UTF-16 units. Each unit takes at most three bytes in UTF-8.
  const bytes = new Uint8Array(all.reduce((sum, field) => sum + 4 + 3 * (field?.length ?? 0), 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const field of all) {
    const written = field === null ? 0 : UTF8.encodeInto(field, bytes.subarray(at + 4)).written
    view.setUint32(at, field === null ? NOTHING : written)
    at += 4 + written
  }
  return bytes.subarray(0, at)
}

const UTF8 = new TextEncoder()

const text = (value: number | null | undefined): string | null =>
  value === null || value === undefined ? null : String(value)

const hashOf = (prefix: number, parts: readonly Uint8Array[]): string =>
  toHex(sha256(concat([Uint8Array.of(prefix), ...parts])))

/**
 * Computes the root of a Merkle tree of `size` leaves from one leaf, its index and its path (RFC
 * 9162, section 2.1.3.2). Throws Refusal if the index or the path does not fit this size.
 */
export const rootOfPath = (
  leaf: string,
  index: number,
  size: number,
  path: readonly string[],
): string => {
  demand(index < size, 'The position is outside the seal.')
  let hash = leaf
  let at = index
  let last = size - 1
  for (const sibling of path) {
    demand(last > 0, 'The Merkle path is too long.')
    if (at % 2 === 1 || at === last) {
      hash = nodeHash(sibling, hash)
      while (at % 2 === 0 && at > 0) {
        at = Math.floor(at / 2)
        last = Math.floor(last / 2)
      }
    } else {
      hash = nodeHash(hash, sibling)
    }
    at = Math.floor(at / 2)
    last = Math.floor(last / 2)
  }
  demand(last === 0, 'The Merkle path is too short.')
  return hash
}
