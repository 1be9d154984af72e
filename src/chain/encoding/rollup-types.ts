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
 * Transactions that nobody signs: a rollup or sidechain puts them into its blocks itself.
 *
 * - OP chains, 0x7e, deposits: https://specs.optimism.io/protocol/deposits.html
 * - Arbitrum, 0x64 to 0x6a, and 0x78 of before Nitro: go-ethereum of Offchain Labs,
 *   core/types/arb_types.go and arbitrum_legacy_tx.go
 * - Polygon, 0x7f, state sync since Madhugiri: PIP-74; bor, core/types/tx_state_sync.go
 */
export type RollupType = {
  write: (writer: RlpWriter, transaction: RpcObject) => void
  /** What a node must have sent beside the common fields; without it the type is as good as unknown. */
  needs: readonly string[]
  /** Whether the encoding, and so the proof, covers `to` and `value`. */
  pays: boolean
  /** The field of the encoding that names the sender, where there is one. */
  sender: string | null
  /** Whether the transaction's hash is the keccak of its encoding; else it is a part of it. */
  hashed: boolean
}

const writing =
  (fields: readonly Field[]): RollupType['write'] =>
  (writer, transaction) =>
    writeFieldList(writer, fields, transaction)

const from = data('from', 20)
const requestId = data('requestId', 32)

// What the sender pays at most for gas; for these types nodes also call it the price.
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

/** Its `to`, `value` and `input` are made up by the node out of the fields below. */
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

/** A transaction of the first Arbitrum chain, as Nitro's history holds it; signed unless it names a sender. */
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

/** Nodes show nothing of what it encodes, so it has to be asked for, and is taken as it is. */
const polygonStateSync: RollupType = {
  write: (writer, transaction) => {
    // Without its first byte, which is the type, and written as that.
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
 * Joins a state-sync transaction with its encoding, from `eth_getRawTransactionByHash`. That it is
 * the right one, and of this type, is proven with the block's other transactions.
 *
 * @throws ChainError `bad_response`
 */
export const withEncoding = (transaction: RpcObject, encoded: unknown): RpcObject => {
  if (typeof encoded !== 'string' || !/^0x7f(?:[0-9a-fA-F]{2})+$/.test(encoded)) {
    throw new ChainError('bad_response', 'The node sent no encoded state-sync transaction.')
  }
  return { ...transaction, encoded }
}
