import { demand } from './bytes.ts'
import type { SealedHead, SealedLeaf } from './ledger-hashes.ts'

/** The proof of a donation, as GET /api/donations/:id/proof returns it (see docs/proof.md). */
export type DonationProof = {
  version: 1
  chainId: number
  donation: {
    id: string
    campaignId: string
    /** The lower-case address of the campaign's account. */
    account: string
    /** The CAIP-19 name of the asset. */
    asset: string
    /** The amount in base units, as decimal text. */
    amount: string
    /** Null if the chain does not prove the sender. */
    sender: string | null
    txHash: string
    /** A log's index, -1 for the transaction's own value, or -2 or less for a payment by a call. */
    position: number
  }
  block: {
    number: number
    hash: string
    /** The block's header in RLP. */
    header: string
    /** The parent block's header in RLP. Null if the proof has no `balance`. */
    parentHeader: string | null
  }
  /** The transaction's index in the block. */
  index: number
  /** The trie nodes that lead from the receiptsRoot to the receipt. */
  receipt: string[]
  /** The trie nodes from the transactionsRoot to the transaction; null without such a proof. */
  transaction: string[] | null
  /** The account's state proofs after and before the block (EIP-1186). Null unless a call paid. */
  balance: { after: string[]; before: string[] } | null
  /** The packed terms of the escrow, if the account is one. Its address commits to them. */
  escrow?: string
  ledger: { entries: ProofEntry[]; seals: ProofSeal[]; keys: ProofKey[] }
}

/** A ledger entry with its place in a seal: the seal's `seq`, the index and the Merkle path. */
export type ProofEntry = SealedLeaf & { seal: number; position: number; path: string[] }

export type ProofSeal = Omit<SealedHead, 'campaignId'> & {
  head: string
  previousGlobalHead: string
  globalHead: string
  keyId: string
  /** The Ed25519 signature in base64url. */
  signature: string
}

/** A public key as JWK (RFC 8037). `kid` is the key's thumbprint (RFC 7638). */
export type ProofKey = { kty: 'OKP'; crv: 'Ed25519'; x: string; kid: string }

export type Shape<T> = (value: unknown, at: string) => T

/** Creates a shape that accepts only an object with these members. `optional` may be missing. */
export const record =
  <T>(members: { [K in keyof T]-?: Shape<T[K]> }, optional: readonly (keyof T)[] = []): Shape<T> =>
  (value, at) => {
    demand(typeof value === 'object' && value !== null, `${at} is not an object.`)
    const found = Object.entries(value)
    const names = Object.keys(members)
    for (const [name] of found) demand(names.includes(name), `${at} has an unknown ${name}.`)
    const known = new Map<string, unknown>(found)
    const made: Partial<T> = {}
    for (const name of names as (keyof T & string)[]) {
      if (optional.includes(name) && !known.has(name)) continue
      demand(known.has(name), `${at} has no ${name}.`)
      made[name] = members[name](known.get(name), `${at}.${name}`)
    }
    return made as T
  }

export const list =
  <T>(most: number, item: Shape<T>): Shape<T[]> =>
  (value, at) => {
    demand(Array.isArray(value) && value.length <= most, `${at} is not a list of at most ${most}.`)
    return value.map((element, index) => item(element, `${at}[${index}]`))
  }

const orNull =
  <T>(shape: Shape<T>): Shape<T | null> =>
  (value, at) =>
    value === null ? null : shape(value, at)

export const text =
  (pattern: RegExp): Shape<string> =>
  (value, at) => {
    demand(typeof value === 'string' && pattern.test(value), `${at} is malformed.`)
    return value
  }

const integer =
  (from: number): Shape<number> =>
  (value, at) => {
    demand(Number.isSafeInteger(value) && Number(value) >= from, `${at} is not such an integer.`)
    return Number(value)
  }

const exactly =
  <T extends string | number>(expected: T): Shape<T> =>
  (value, at) => {
    demand(value === expected, `${at} is not ${expected}: another version wrote this.`)
    return expected
  }

const hash = text(/^0x[0-9a-f]{64}$/)
const address = text(/^0x[0-9a-f]{40}$/)
const hex = text(/^0x(?:[0-9a-f]{2}){1,65536}$/)
const id = text(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
const units = text(/^[1-9][0-9]{0,77}$/)
const asset = text(/^[a-z0-9:/.]{3,120}$/i)
const word = text(/^[a-z_]{1,30}$/)
const moment = text(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const base64url = text(/^[\w-]{1,200}$/)
const nodes = list(70, hex)

const entry = record<ProofEntry>({
  id: integer(1),
  kind: word,
  debit: word,
  credit: word,
  campaignId: id,
  asset,
  amount: units,
  donationId: orNull(id),
  transfer: orNull(
    record({
      chainId: integer(1),
      txHash: hash,
      position: integer(-(2 ** 31)),
      recipient: address,
    }),
  ),
  generation: orNull(integer(0)),
  block: orNull(record({ number: integer(0), hash })),
  milestoneId: orNull(id),
  reverses: orNull(integer(1)),
  createdAt: moment,
  seal: integer(1),
  position: integer(0),
  path: list(32, hash),
})

const seal = record<ProofSeal>({
  seq: integer(1),
  previousHead: hash,
  root: hash,
  entries: integer(1),
  totalEntries: integer(1),
  sealedAt: moment,
  head: hash,
  previousGlobalHead: hash,
  globalHead: hash,
  keyId: base64url,
  signature: base64url,
})

const key = record<ProofKey>({
  kty: exactly('OKP'),
  crv: exactly('Ed25519'),
  x: base64url,
  kid: base64url,
})

const proof = record<DonationProof>(
  {
    version: exactly(1),
    chainId: integer(1),
    donation: record({
      id,
      campaignId: id,
      account: address,
      asset,
      amount: units,
      sender: orNull(address),
      txHash: hash,
      position: integer(-(2 ** 31)),
    }),
    block: record({ number: integer(0), hash, header: hex, parentHeader: orNull(hex) }),
    index: integer(0),
    receipt: nodes,
    transaction: orNull(nodes),
    balance: orNull(record({ after: nodes, before: nodes })),
    ledger: record({ entries: list(1_000, entry), seals: list(1_000, seal), keys: list(100, key) }),
    escrow: hex,
  },
  ['escrow'],
)

/** Reads a proof of this version. Throws Refusal if a field is missing, unknown or malformed. */
export const readProof = (value: unknown): DonationProof => proof(value, 'The proof')
