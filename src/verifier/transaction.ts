import { bytesOfInteger, concat, demand, keccakHex, Refusal, toHex, toInteger } from './bytes.ts'
import { asBytes, asList, decodeRlp, encodeRlp, type Rlp } from './rlp.ts'
import { recoverAddress } from './secp256k1.ts'

export type ProvenTransaction = {
  hash: string
  /** Null for legacy transactions without EIP-155, deposits of OP chains, and unknown types. */
  chainId: bigint | null
  /** The recipient. Null if the transaction creates a contract or has an unknown type. */
  to: string | null
  value: bigint
  /** Recovers the sender's address in some milliseconds. Throws Refusal if no sender is found. */
  sender(): string
}

/**
 * The number of fields and the index of the field `to`, by transaction type. Sources: Yellow Paper
 * (type 0), EIP-2930 (1), EIP-1559 (2), EIP-4844 (3), EIP-7702 (4).
 */
const LAYOUTS: ReadonlyMap<number, { fields: number; to: number }> = new Map([
  [0, { fields: 9, to: 3 }],
  [1, { fields: 11, to: 4 }],
  [2, { fields: 12, to: 5 }],
  [3, { fields: 14, to: 5 }],
  [4, { fields: 13, to: 5 }],
])
/** The type of deposit transactions on OP chains, which have no signature (Optimism specs). */
const DEPOSIT = 0x7e

/** Reads a transaction from its encoding (EIP-2718). Throws Refusal if the bytes are malformed. */
export const readTransaction = (bytes: Uint8Array): ProvenTransaction => {
  const first = bytes[0] ?? 0
  const type = first < 0x80 ? first : 0
  demand(first >= 0x80 || type > 0, 'A transaction has an impossible type.')
  const fields = asList(decodeRlp(type === 0 ? bytes : bytes.subarray(1)))
  const hash = keccakHex(bytes)
  if (type === DEPOSIT) return readDeposit(hash, fields)
  const layout = LAYOUTS.get(type)
  // For an unknown type, the hash is enough to prove payments in logs. Native payments are refused.
  if (layout === undefined) return { hash, chainId: null, to: null, value: 0n, sender: noSender }
  demand(fields.length === layout.fields, 'A transaction has a wrong number of fields.')
  const chainId = type === 0 ? legacyChainId(fields) : integer(fields[0])
  return {
    hash,
    chainId,
    to: readTo(fields[layout.to]),
    value: integer(fields[layout.to + 1]),
    sender: () => recover(type, chainId, fields),
  }
}

const readDeposit = (hash: string, fields: readonly Rlp[]): ProvenTransaction => {
  demand(fields.length === 8, 'A transaction has a wrong number of fields.')
  const sender = toHex(asBytes(fields[1], 20))
  const value = integer(fields[4])
  return { hash, chainId: null, to: readTo(fields[2]), value, sender: () => sender }
}

const noSender = (): string => {
  throw new Refusal('This version cannot read the sender of that type of transaction.')
}

const readTo = (item: Rlp | undefined): string | null => {
  const to = asBytes(item)
  demand(to.length === 0 || to.length === 20, 'A transaction has a malformed recipient.')
  return to.length === 0 ? null : toHex(to)
}

const integer = (item: Rlp | undefined): bigint => toInteger(asBytes(item))

/** In EIP-155, `v` is 35 + 2 * chainId + parity. Without a chain id, `v` is 27 + parity. */
const legacyChainId = (fields: readonly Rlp[]): bigint | null => {
  const v = integer(fields[6])
  return v >= 35n ? (v - 35n) / 2n : null
}

/** Recovers the signer. The signature covers all other fields and, with EIP-155, the chain id. */
const recover = (type: number, chainId: bigint | null, fields: readonly Rlp[]): string => {
  const [v, r, s] = fields.slice(-3).map((field) => integer(field))
  demand(v !== undefined && r !== undefined && s !== undefined, 'A signature is missing.')
  const unsigned = fields.slice(0, -3)
  if (type === 0) {
    const guard = chainId === null ? [] : [chainId, 0n, 0n].map(bytesOfInteger)
    const parity = chainId === null ? v - 27n : (v - 35n) % 2n
    return recoverAddress(keccakHex(encodeRlp([...unsigned, ...guard])), r, s, parity)
  }
  const payload = concat([Uint8Array.of(type), encodeRlp(unsigned)])
  return recoverAddress(keccakHex(payload), r, s, v)
}
