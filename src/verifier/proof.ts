import { demand } from './bytes.ts'
import { type Finality, readFinality } from './consensus/finality.ts'
import type { SealedHead, SealedLeaf } from './ledger-hashes.ts'
import { exactly, hash, hex, integer, list, nodes, orNull, record, text } from './shape.ts'

/** The proof of a donation, as GET /api/donations/:id/proof returns it (see docs/proof.md). */
export type DonationProof = {
  /** 2: with `finality`. */
  version: 1 | 2
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
  /** Shows to a reader who trusts a checkpoint that the block is final. */
  finality?: Finality
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

const address = text(/^0x[0-9a-f]{40}$/)
const id = text(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
const units = text(/^[1-9][0-9]{0,77}$/)
const asset = text(/^[a-z0-9:/.]{3,120}$/i)
const word = text(/^[a-z_]{1,30}$/)
const moment = text(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const base64url = text(/^[\w-]{1,200}$/)

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
    version: (value, at) => (value === 2 ? 2 : exactly(1)(value, at)),
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
    finality: readFinality,
  },
  ['escrow', 'finality'],
)

/** Reads a proof of these versions. Throws Refusal if a field is missing, unknown or malformed. */
export const readProof = (value: unknown): DonationProof => {
  const read = proof(value, 'The proof')
  demand(
    (read.finality !== undefined) === (read.version === 2),
    'Version 2 has finality, and version 1 has none.',
  )
  return read
}
