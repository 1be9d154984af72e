import { concat, keccak256, zeroPadValue } from 'ethers'
import { describe, expect, test } from 'vitest'
import { proveReceipts } from '../../../../src/chain/encoding/receipts.ts'
import { withEncoding } from '../../../../src/chain/encoding/rollup-types.ts'
import { createProofTools } from '../../../../src/chain/encoding/tools.ts'
import { proveTransactions } from '../../../../src/chain/encoding/transactions.ts'
import type { Header } from '../../../../src/chain/types.ts'
import { codeOf } from '../support.ts'
import {
  account,
  common,
  encodeReceipt,
  hash,
  headerOf,
  type Log,
  number,
  prove,
  rootOf,
  showReceipts,
  signedTransfer,
  TO,
  typed,
} from './encode.ts'

const log: Log = { address: account('token'), topics: [hash('topic')], data: '0x01' }

describe('Polygon', () => {
  const named = (block: Header): string =>
    keccak256(
      concat([
        Buffer.from('matic-bor-receipt-'),
        zeroPadValue(number(block.number), 8),
        block.hash,
      ]),
    )

  test('state sync of before Madhugiri is dropped from transactions and receipts', async () => {
    const tools = await createProofTools()
    const signed = await signedTransfer()
    const user = { type: 0, gas: 21_000 }
    const header = headerOf({
      transactionsRoot: rootOf([signed.encoded]),
      receiptsRoot: rootOf([encodeReceipt(user)]),
    })
    const stateSync = {
      ...common,
      type: '0x0',
      hash: named(header),
      from: `0x${'00'.repeat(20)}`,
      to: `0x${'00'.repeat(20)}`,
      value: '0x0',
    }
    for (const listed of [
      [signed.shown, stateSync],
      [signed.shown.hash, stateSync.hash],
    ]) {
      const block = proveTransactions(header, listed, tools)
      expect(block.transactions.map((one) => one.hash)).toEqual([signed.shown.hash])
      expect(block.proof).toBe(listed[0] === signed.shown ? 'transactions-root' : 'receipts-root')
      const facts = [user, { type: 0, gas: 21_000, logs: [log] }]
      const receipts = showReceipts(block, [signed.shown.hash, stateSync.hash], facts)
      expect(proveReceipts(block, receipts, tools).map((one) => one.txHash)).toEqual([
        signed.shown.hash,
      ])
      const [first] = receipts
      const foreign = [first, { ...receipts[1], transactionHash: hash('another') }]
      expect(await codeOf(() => proveReceipts(block, foreign, tools))).toBe('receipts_forged')
    }
    const another = { ...stateSync, hash: hash('another') }
    expect(await codeOf(() => proveTransactions(header, [signed.shown, another], tools))).toBe(
      'transactions_forged',
    )
  })

  test('state sync since Madhugiri is proven by its encoding, which has to be asked for', async () => {
    const encoded = typed(0x7f, [
      [number(1), account('contract'), '0x0102', hash('on Ethereum')],
      [number(2), account('contract'), '0x', hash('on Ethereum too')],
    ])
    const shown = { ...common, type: '0x7f', hash: keccak256(encoded) }
    const signed = await signedTransfer()
    const encodings = [signed.encoded, encoded]
    expect((await prove(encodings, [signed.shown, shown])).proof).toBe('receipts-root')
    const block = await prove(encodings, [signed.shown, withEncoding(shown, encoded)])
    expect(block).toMatchObject({
      proof: 'transactions-root',
      transactions: [{ to: TO }, { to: null, value: 0n }],
    })
    const forged = withEncoding(shown, `${encoded.slice(0, -1)}${encoded.endsWith('0') ? 1 : 0}`)
    expect(await codeOf(() => prove(encodings, [signed.shown, forged]))).toBe('transactions_forged')
  })

  test('a payment cannot hide as state sync', async () => {
    const signed = await signedTransfer(2)
    const shown = { ...signed.shown, type: '0x7f' }
    expect(await codeOf(() => withEncoding(shown, signed.encoded))).toBe('bad_response')
    const smuggled = { ...shown, encoded: signed.encoded }
    expect(await codeOf(() => prove([signed.encoded], [smuggled]))).toBe('transactions_forged')
  })
})
