import { describe, expect, test } from 'vitest'
import { proveReceipts } from '../../../../src/chain/encoding/receipts.ts'
import { createProofTools } from '../../../../src/chain/encoding/tools.ts'
import { feePaidBy } from '../../../../src/chain/payments/account-flows.ts'
import { codeOf } from '../support.ts'
import {
  account,
  blockOf,
  hash,
  type Log,
  number,
  type ReceiptFacts,
  showReceipts,
} from './encode.ts'

const log: Log = { address: account('token'), topics: [hash('topic')], data: '0x01' }

describe('receipts of rollups', () => {
  const hashes = [hash('first'), hash('second')]
  const user: ReceiptFacts = { type: 2, gas: 90_000, logs: [log] }

  test('a deposit of an OP chain counts its nonce and version from Canyon on', async () => {
    const tools = await createProofTools()
    const deposit = { type: 0x7e, gas: 46_000, extra: [number(0x160d8b6), number(1)] }
    const block = blockOf([deposit, user], hashes)
    const [first, second] = showReceipts(block, hashes, [deposit, user])
    const shown = { ...first, depositNonce: '0x160d8b6', depositReceiptVersion: '0x1' }
    expect(proveReceipts(block, [shown, second], tools)).toHaveLength(2)
    for (const change of [
      { depositNonce: '0x160d8b7' },
      { depositReceiptVersion: '0x2' },
      { depositReceiptVersion: undefined },
      { status: '0x0' },
    ]) {
      const forged = [{ ...shown, ...change }, second]
      expect(await codeOf(() => proveReceipts(block, forged, tools))).toBe('receipts_forged')
    }
  })

  test.each([{}, { depositNonce: '0x5' }, { depositNonce: '0x5', depositReceiptVersion: null }])(
    'and before Canyon neither, also if the node names it: %j',
    async (named) => {
      const deposit = { type: 0x7e, gas: 46_000 }
      const block = blockOf([deposit, user], hashes)
      const [first, second] = showReceipts(block, hashes, [deposit, user])
      const proved = proveReceipts(
        block,
        [{ ...first, ...named }, second],
        await createProofTools(),
      )
      expect(proved.map((one) => one.logs.length)).toEqual([0, 1])
    },
  )

  // Operator fee: Isthmus charges gas * scalar / 1e6 + constant, Jovian gas * scalar * 100 +
  // constant.
  test.each([
    [{}, undefined, 0n],
    [{ operatorFeeScalar: '0x989680', operatorFeeConstant: '0x32' }, 900_050n, 900_050n],
    [{ operatorFeeScalar: '0x5' }, 0n, 0n],
    [{ operatorFeeConstant: '0x32' }, 50n, 50n],
    [
      { operatorFeeScalar: '0x5', operatorFeeConstant: '0x32', daFootprintGasScalar: '0x190' },
      45_000_050n,
      45_000_050n,
    ],
    [{ l1Fee: '0x7', operatorFeeScalar: '0x0', operatorFeeConstant: '0x32' }, 50n, 57n],
  ])('the sender of an OP chain pays the operator fee: %j', async (shown, operatorFee, paid) => {
    const tools = await createProofTools()
    const block = blockOf([user], [hash('first')])
    const [receipt] = showReceipts(block, [hash('first')], [user])
    const [proved] = proveReceipts(block, [{ ...receipt, ...shown }], tools)
    expect(proved?.operatorFee).toBe(operatorFee)
    const raw = { type: '0x2', maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' }
    const transaction = { hash: hash('first'), to: null, value: 0n, raw }
    const from = { ...block, baseFeePerGas: 0n }
    expect(proved && feePaidBy(from, transaction, proved)).toEqual({
      amount: paid,
      proven: paid === 0n,
    })
  })

  test.each([0x64, 0x65, 0x66, 0x68, 0x69, 0x6a, 0x78, 0x7f])(
    'a receipt of type %i is like a receipt of any other type',
    async (type) => {
      const tools = await createProofTools()
      const facts = [
        { type, gas: 0, logs: [log] },
        { ...user, logs: [] },
      ]
      const block = blockOf(facts, hashes)
      const [first, second] = showReceipts(block, hashes, facts)
      expect(proveReceipts(block, [first, second], tools)[0]?.logs).toHaveLength(1)
      const forged = [{ ...first, type: '0x2' }, second]
      expect(await codeOf(() => proveReceipts(block, forged, tools))).toBe('receipts_forged')
    },
  )
})
