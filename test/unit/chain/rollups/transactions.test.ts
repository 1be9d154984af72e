import { keccak256 } from 'ethers'
import { describe, expect, test } from 'vitest'
import { recoverSender } from '../../../../src/chain/encoding/sender.ts'
import { codeOf } from '../support.ts'
import { cases, submit } from './cases.ts'
import { common, FROM, forge, hash, type Item, prove, signedTransfer, TO, typed } from './encode.ts'

describe('transactions that a chain makes itself', () => {
  describe.each(cases)('$what', ({ type, shown, fields, pays, free = [] }) => {
    const encoded = typed(type, fields)
    const raw = { ...shown, type: `0x${type.toString(16)}`, hash: keccak256(encoded) }

    test('is proven with its block, and its sender with it', async () => {
      const block = await prove([encoded], [raw])
      expect(block.proof).toBe('transactions-root')
      const [transaction] = block.transactions
      expect(transaction).toMatchObject(pays ? { to: TO, value: 0x77n } : { to: null, value: 0n })
      if (pays && transaction) expect(recoverSender(transaction)).toBe(FROM)
    })

    test('stands among signed ones', async () => {
      const signed = await signedTransfer()
      const block = await prove([encoded, signed.encoded], [raw, signed.shown])
      expect(block.proof).toBe('transactions-root')
      expect(block.transactions.map((one) => one.hash)).toEqual([raw.hash, signed.shown.hash])
    })

    test('fails with any field forged', async () => {
      const signature = new Set(['r', 's', 'v', 'type', ...free])
      const covered = Object.keys(raw).filter((name) => !signature.has(name))
      expect(covered.length).toBeGreaterThan(2)
      for (const name of covered) {
        const forged = { ...raw, [name]: forge(raw[name as keyof typeof raw]) }
        const code = await codeOf(() => prove([encoded], [forged]))
        expect([name, code]).toEqual([name, 'transactions_forged'])
      }
    })
  })

  test('fails under the name of another type without a payment', async () => {
    const signed = await signedTransfer()
    const hidden = { ...signed.shown, type: '0x6a', chainId: '0x1', input: '0x' }
    expect(await codeOf(() => prove([signed.encoded], [hidden]))).toBe('transactions_forged')
  })

  test('is as good as unknown where the node leaves out what it encodes', async () => {
    const [, , , , , , ticket] = cases
    const encoded = typed(0x69, ticket?.fields ?? [])
    const { retryValue: _, ...shown } = submit
    const raw = { ...common, ...shown, type: '0x69', hash: keccak256(encoded) }
    expect((await prove([encoded], [raw])).proof).toBe('receipts-root')
    const other = { ...common, type: '0x50', hash: hash('other') }
    expect((await prove([encoded], [other])).proof).toBe('receipts-root')
  })

  test('a retryable ticket can create a contract', async () => {
    const [, , , , , , ticket] = cases
    const fields = [...((ticket?.fields ?? []) as Item[])]
    fields[7] = '0x'
    const encoded = typed(0x69, fields)
    const raw = { ...common, ...submit, retryTo: null, type: '0x69', hash: keccak256(encoded) }
    expect((await prove([encoded], [raw])).proof).toBe('transactions-root')
  })
})
