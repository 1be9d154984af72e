import { describe, expect, test } from 'vitest'
import { recoverSender } from '../../../../src/chain/encoding/sender.ts'
import { codeOf } from '../support.ts'
import { beforeNitro, DONOR } from './cases.ts'
import { account, forge, prove, TO } from './encode.ts'

describe('Arbitrum of before Nitro', () => {
  test('a hash that is part of the encoding is proven with it, and so is who signed', async () => {
    const { encoded, shown } = await beforeNitro()
    const block = await prove([encoded], [shown])
    expect(block).toMatchObject({ proof: 'transactions-root', transactions: [{ to: TO }] })
    expect(block.transactions.map(recoverSender)).toEqual([DONOR])
    for (const name of ['hash', 'to', 'value', 'effectiveGasPrice'] as const) {
      const forged = { ...shown, [name]: forge(shown[name]) }
      expect(await codeOf(() => prove([encoded], [forged]))).toBe('transactions_forged')
    }
  })

  test('a sender that is named goes before the signature', async () => {
    const { encoded, shown } = await beforeNitro(account('contract'))
    const block = await prove([encoded], [shown])
    expect(block.transactions.map(recoverSender)).toEqual([account('contract')])
    const forged = { ...shown, sender: account('another') }
    expect(await codeOf(() => prove([encoded], [forged]))).toBe('transactions_forged')
  })
})
