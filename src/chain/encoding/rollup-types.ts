import { ChainError } from '../errors.ts'
import { type RpcObject, readData } from '../rpc/read.ts'
import type { RlpWriter } from './rlp-writer.ts'
import {
  chainId,
  data,
  type Field,
  gas,
  input,
  nonce,
  optionalAddress,
  quantity,
  to,
  value,
  writeFieldList,
} from './transaction-fields.ts'

/**
 * A transaction type that only rollups or sidechains have. Most have no signature. The sources are:
 *
 * - OP chains, 0x7e, deposits: https://specs.optimism.io/protocol/deposits.html
 * - Arbitrum, 0x64 to 0x6a, and 0x78 from before Nitro: go-ethereum of Offchain Labs,
 *   core/types/arb_types.go and arbitrum_legacy_tx.go
 * - Polygon, 0x7f, state sync since Madhugiri: PIP-74; bor, core/types/tx_state_sync.go
 */
export type RollupType = {
  write: (writer: RlpWriter, transaction: RpcObject) => void
  /** The names of required extra fields. If a field is missing, the type counts as unknown. */
  needs: readonly string[]
  /** Whether the encoding contains `to` and `value`, so that its proof proves a payment. */
  pays: boolean
  /** The name of the encoded field that holds the sender; null if no field holds it. */
  sender: string | null
  /** Whether the encoding hashes to the transaction's hash. If not, the encoding holds the hash. */
  hashed: boolean
}

const writing =
  (fields: readonly Field[]): RollupType['write'] =>
  (writer, transaction) =>
    writeFieldList(writer, fields, transaction)

const from = data('from', 20)
const requestId = data('requestId', 32)

// The sender's fee cap. Some nodes call this field `gasPrice` for rollup types.
const feeCap: Field = (writer, transaction) =>
  writer.quantity(transaction.maxFeePerGas ?? transaction.gasPrice)

const mint: Field = (writer, transaction) => writer.quantity(transaction.mint ?? '0x0')
const isSystem: Field = (writer, transaction) =>
  writer.quantity(transaction.isSystemTx === true ? '0x1' : '0x0')

const call = [feeCap, gas, to, value, input]

const ofSender = (needs: readonly string[], fields: readonly Field[]): RollupType => ({
  write: writing(fields),
  needs,
  pays: true,
  sender: 'from',
  hashed: true,
})

const opDeposit = ofSender(
  ['sourceHash'],
  [data('sourceHash', 32), from, to, mint, value, gas, isSystem, input],
)

const arbitrumDeposit = ofSender(
  ['requestId', 'chainId'],
  [chainId, requestId, from, data('to', 20), value],
)

const arbitrumUnsigned = ofSender(['chainId'], [chainId, from, nonce, ...call])

const arbitrumContract = ofSender(['requestId', 'chainId'], [chainId, requestId, from, ...call])

const arbitrumRetry = ofSender(
  ['ticketId', 'refundTo', 'maxRefund', 'submissionFeeRefund', 'chainId'],
  [
    chainId,
    nonce,
    from,
    ...call,
    data('ticketId', 32),
    data('refundTo', 20),
    quantity('maxRefund'),
    quantity('submissionFeeRefund'),
  ],
)

/** The encoding lacks `to`, `value` and `input`. Nodes derive these from the fields below. */
const arbitrumSubmitRetryable: RollupType = {
  write: writing([
    chainId,
    requestId,
    from,
    quantity('l1BaseFee'),
    quantity('depositValue'),
    feeCap,
    gas,
    optionalAddress('retryTo'),
    quantity('retryValue'),
    data('beneficiary', 20),
    quantity('maxSubmissionFee'),
    data('refundTo', 20),
    data('retryData'),
  ]),
  needs: ['requestId', 'l1BaseFee', 'depositValue', 'retryValue', 'beneficiary', 'retryData'],
  pays: false,
  sender: 'from',
  hashed: true,
}

const arbitrumInternal: RollupType = {
  write: writing([chainId, input]),
  needs: ['chainId'],
  pays: false,
  sender: null,
  hashed: true,
}

const legacyFields = [
  nonce,
  quantity('gasPrice'),
  gas,
  to,
  value,
  input,
  quantity('v'),
  quantity('r'),
  quantity('s'),
]

/** A transaction from before Nitro, as Nitro nodes encode it. Signed if `sender` is absent. */
const arbitrumLegacy: RollupType = {
  write: (writer, transaction) => {
    const mark = writer.mark()
    const { sender } = transaction
    if (sender !== undefined && sender !== null) writer.hex(sender, 20)
    writer.quantity(transaction.l1BlockNumber)
    writer.quantity(transaction.effectiveGasPrice)
    writer.hex(transaction.hash, 32)
    writeFieldList(writer, legacyFields, transaction)
    writer.endList(mark)
  },
  needs: ['effectiveGasPrice', 'l1BlockNumber'],
  pays: true,
  sender: 'sender',
  hashed: false,
}

/** Blocks do not show the fields of this type, so its encoding is fetched and written unchanged. */
const polygonStateSync: RollupType = {
  write: (writer, transaction) => {
    // Leaves out the first byte (the type), because the caller writes this byte.
    const bytes = readData(transaction.encoded, 'encoded transaction')
    for (let at = bytes.length - 1; at >= 1; at -= 1) writer.rawByte(bytes[at] ?? 0)
  },
  needs: ['encoded'],
  pays: false,
  sender: null,
  hashed: true,
}

export const POLYGON_STATE_SYNC = 0x7f

export const ROLLUP_TYPES: ReadonlyMap<number, RollupType> = new Map([
  [0x7e, opDeposit],
  [0x64, arbitrumDeposit],
  [0x65, arbitrumUnsigned],
  [0x66, arbitrumContract],
  [0x68, arbitrumRetry],
  [0x69, arbitrumSubmitRetryable],
  [0x6a, arbitrumInternal],
  [0x78, arbitrumLegacy],
  [POLYGON_STATE_SYNC, polygonStateSync],
])

/**
 * Adds the encoding from `eth_getRawTransactionByHash` to a state-sync transaction.
 * `proveTransactions` later checks this encoding.
 *
 * @throws ChainError `bad_response` if the encoding is not hex data of type 0x7f
 */
export const withEncoding = (transaction: RpcObject, encoded: unknown): RpcObject => {
  if (typeof encoded !== 'string' || !/^0x7f(?:[0-9a-fA-F]{2})+$/.test(encoded)) {
    throw new ChainError('bad_response', 'The node sent no encoded state-sync transaction.')
  }
  return { ...transaction, encoded }
}
