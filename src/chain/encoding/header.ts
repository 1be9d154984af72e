import { ChainError } from '../errors.ts'
import { isPresent, type RpcObject, readBigInt, readHash, readNumber } from '../rpc/read.ts'
import type { Header } from '../types.ts'
import { toHex } from './keccak.ts'
import type { ProofTools } from './tools.ts'

type Kind = 'quantity' | number

/** Header fields in RLP order. `kind` is `quantity`, or the length in bytes (-1 for any length). */
const REQUIRED: readonly (readonly [name: string, kind: Kind])[] = [
  ['parentHash', 32],
  ['sha3Uncles', 32],
  ['miner', 20],
  ['stateRoot', 32],
  ['transactionsRoot', 32],
  ['receiptsRoot', 32],
  ['logsBloom', 256],
  ['difficulty', 'quantity'],
  ['number', 'quantity'],
  ['gasLimit', 'quantity'],
  ['gasUsed', 'quantity'],
  ['timestamp', 'quantity'],
  ['extraData', -1],
  ['mixHash', 32],
  ['nonce', 8],
]

/**
 * Fields that these EIPs added: 1559, 4895, 4844 (two fields), 4788, 7685, 7928 and 7843. A header
 * that has one of these fields has all earlier ones, because each fork kept those of older forks.
 */
const OPTIONAL: readonly (readonly [name: string, kind: Kind])[] = [
  ['baseFeePerGas', 'quantity'],
  ['withdrawalsRoot', 32],
  ['blobGasUsed', 'quantity'],
  ['excessBlobGas', 'quantity'],
  ['parentBeaconBlockRoot', 32],
  ['requestsHash', 32],
  ['blockAccessListHash', 32],
  ['slotNumber', 'quantity'],
]

/** Polygon hashes a header with a zero miner, but Erigon shows the block's signer as the miner. */
const NO_MINER = `0x${'00'.repeat(20)}`

/** Fields of a block outside its header. Other unknown fields may belong to a newer header. */
const NOT_IN_HEADER = new Set([
  'hash',
  'size',
  'totalDifficulty',
  'transactions',
  'uncles',
  'withdrawals',
])

/**
 * Proves a header: the RLP of its fields must hash to its hash. `tools.writer` then holds the RLP.
 *
 * @throws ChainError if the hash is wrong: `header_unverified` if the header has unknown fields,
 *   `header_forged` otherwise
 */
export const proveHeader = (raw: RpcObject, tools: ProofTools): Header => {
  const number = readNumber(raw.number, 'block number')
  const hash = readHash(raw.hash, 'block hash')
  if (hashOf(raw, tools) !== hash && hashOf({ ...raw, miner: NO_MINER }, tools) !== hash) {
    throw mismatch(raw, number)
  }
  return {
    number,
    hash,
    parentHash: readHash(raw.parentHash, 'parent hash'),
    timestamp: readNumber(raw.timestamp, 'block time'),
    gasUsed: readNumber(raw.gasUsed, 'gas'),
    ...(isPresent(raw.baseFeePerGas)
      ? { baseFeePerGas: readBigInt(raw.baseFeePerGas, 'base fee') }
      : {}),
    logsBloom: String(raw.logsBloom).toLowerCase(),
    stateRoot: readHash(raw.stateRoot, 'state root'),
    receiptsRoot: readHash(raw.receiptsRoot, 'receipts root'),
    transactionsRoot: readHash(raw.transactionsRoot, 'transactions root'),
  }
}

/** The hash of the fields; an empty text if an optional field is left out before another one. */
const hashOf = (fields: RpcObject, { writer, keccak }: ProofTools): string => {
  writer.rewind(0)
  const present = OPTIONAL.filter(([name]) => isPresent(fields[name]))
  // With a gap, a later field would take the place of the missing one in the RLP.
  if (present.at(-1) !== OPTIONAL[present.length - 1]) return ''
  // The last field first, because RLP is written backwards.
  for (const [name, kind] of [...REQUIRED, ...present].toReversed()) {
    const value = fields[name]
    if (kind === 'quantity') writer.quantity(value)
    else writer.hex(value, kind < 0 ? undefined : kind)
  }
  writer.endList(0)
  return toHex(keccak(writer.view(0)))
}

const mismatch = (raw: RpcObject, number: number): ChainError => {
  const known = new Set([...REQUIRED, ...OPTIONAL].map(([name]) => name))
  const unknown = Object.keys(raw).filter((name) => !known.has(name) && !NOT_IN_HEADER.has(name))
  return unknown.length === 0
    ? new ChainError('header_forged', `The header of block ${number} does not hash to its hash.`)
    : new ChainError(
        'header_unverified',
        `The header of block ${number} does not hash to its hash; ` +
          `it has fields that this version does not know: ${unknown.slice(0, 8).join(', ')}.`,
      )
}
