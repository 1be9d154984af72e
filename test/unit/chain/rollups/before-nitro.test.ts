import { id, Transaction, Wallet } from 'ethers'
import { describe, expect, test } from 'vitest'
import { recoverSender } from '../../../../src/chain/proof/sender.ts'
import { codeOf } from '../support.ts'
import { account, common, forge, hash, number, prove, TO, typed } from './encode.ts'

describe('Arbitrum of before Nitro', () => {
  const wallet = new Wallet(id('a donor'))
  const make = async (sender?: string) => {
    const signed = Transaction.from(
      await wallet.signTransaction({
        type: 0,
        chainId: 42161,
        nonce: 3,
        gasPrice: 9,
        gasLimit: 0x5208,
        to: TO,
        value: 0x77,
        data: '0xc0ffee',
      }),
    )
    const { r = '0x', s = '0x', networkV } = signed.signature ?? {}
    const given = hash('a hash of its own')
    const legacy = [3, 9, 0x5208].map(number)
    const encoded = typed(0x78, [
      [...legacy, TO, number(0x77), '0xc0ffee', number(networkV), number(r), number(s)],
      given,
      number(7),
      number(0x99),
      ...(sender ? [sender] : []),
    ])
    const shown = {
      ...common,
      type: '0x78',
      hash: given,
      effectiveGasPrice: '0x7',
      l1BlockNumber: '0x99',
      v: `0x${(networkV ?? 0n).toString(16)}`,
      r,
      s,
      ...(sender ? { sender } : {}),
    }
    return { encoded, shown }
  }

  test('a hash that is part of the encoding is proven with it, and so is who signed', async () => {
    const { encoded, shown } = await make()
    const block = await prove([encoded], [shown])
    expect(block).toMatchObject({ proof: 'transactions-root', transactions: [{ to: TO }] })
    expect(block.transactions.map(recoverSender)).toEqual([wallet.address.toLowerCase()])
    for (const name of ['hash', 'to', 'value', 'effectiveGasPrice'] as const) {
      const forged = { ...shown, [name]: forge(shown[name]) }
      expect(await codeOf(() => prove([encoded], [forged]))).toBe('transactions_forged')
    }
  })

  test('a sender that is named goes before the signature', async () => {
    const { encoded, shown } = await make(account('contract'))
    const block = await prove([encoded], [shown])
    expect(block.transactions.map(recoverSender)).toEqual([account('contract')])
    const forged = { ...shown, sender: account('another') }
    expect(await codeOf(() => prove([encoded], [forged]))).toBe('transactions_forged')
  })
})
