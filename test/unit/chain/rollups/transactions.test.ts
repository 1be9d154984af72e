import { keccak256 } from 'ethers'
import { describe, expect, test } from 'vitest'
import { recoverSender } from '../../../../src/chain/proof/sender.ts'
import type { RpcObject } from '../../../../src/chain/rpc/read.ts'
import { codeOf } from '../support.ts'
import {
  account,
  CHAIN,
  common,
  FROM,
  forge,
  hash,
  type Item,
  number,
  prove,
  signedTransfer,
  TO,
  typed,
} from './encode.ts'

type Case = {
  what: string
  type: number
  shown: RpcObject
  fields: Item
  /** Proven to pay TO from FROM; else its `to` and `value` are the node's own words. */
  pays: boolean
  /** What no hash covers. */
  free?: readonly string[]
}

const submit = {
  requestId: hash('request'),
  l1BaseFee: '0x1f',
  depositValue: '0x100',
  maxFeePerGas: '0x8',
  retryTo: account('retry to'),
  retryValue: '0x50',
  beneficiary: account('beneficiary'),
  maxSubmissionFee: '0x7',
  refundTo: account('refund'),
  retryData: '0x1234',
}

const cases: Case[] = [
  {
    what: 'a deposit of an OP chain',
    type: 0x7e,
    shown: { ...common, sourceHash: hash('source'), mint: '0x80', isSystemTx: false },
    fields: [
      hash('source'),
      FROM,
      TO,
      number(0x80),
      number(0x77),
      number(0x5208),
      '0x',
      '0xc0ffee',
    ],
    pays: true,
    free: ['nonce', 'gasPrice', 'chainId'],
  },
  {
    what: 'a system deposit of before Regolith, without a mint',
    type: 0x7e,
    shown: { ...common, sourceHash: hash('source'), mint: null, isSystemTx: true },
    fields: [hash('source'), FROM, TO, '0x', number(0x77), number(0x5208), '0x01', '0xc0ffee'],
    pays: true,
    free: ['nonce', 'gasPrice', 'chainId', 'mint'],
  },
  {
    what: 'a deposit of Arbitrum',
    type: 0x64,
    shown: { ...common, requestId: hash('request') },
    fields: [number(CHAIN), hash('request'), FROM, TO, number(0x77)],
    pays: true,
    free: ['nonce', 'gas', 'gasPrice', 'input'],
  },
  {
    what: 'an unsigned transaction of Arbitrum',
    type: 0x65,
    shown: common,
    fields: [
      number(CHAIN),
      FROM,
      number(3),
      number(9),
      number(0x5208),
      TO,
      number(0x77),
      '0xc0ffee',
    ],
    pays: true,
  },
  {
    what: 'a contract’s transaction of Arbitrum',
    type: 0x66,
    shown: { ...common, maxFeePerGas: '0x8', requestId: hash('request') },
    fields: [
      number(CHAIN),
      hash('request'),
      FROM,
      number(8),
      number(0x5208),
      TO,
      number(0x77),
      '0xc0ffee',
    ],
    pays: true,
    free: ['nonce', 'gasPrice'],
  },
  {
    what: 'a retry of Arbitrum',
    type: 0x68,
    shown: {
      ...common,
      maxFeePerGas: '0x8',
      ticketId: hash('ticket'),
      refundTo: account('refund'),
      maxRefund: '0x10',
      submissionFeeRefund: '0x0',
    },
    fields: [
      number(CHAIN),
      number(3),
      FROM,
      number(8),
      number(0x5208),
      TO,
      number(0x77),
      '0xc0ffee',
      hash('ticket'),
      account('refund'),
      number(0x10),
      '0x',
    ],
    pays: true,
    free: ['gasPrice'],
  },
  {
    what: 'a retryable ticket of Arbitrum',
    type: 0x69,
    shown: { ...common, ...submit },
    fields: [
      number(CHAIN),
      submit.requestId,
      FROM,
      number(0x1f),
      number(0x100),
      number(8),
      number(0x5208),
      submit.retryTo,
      number(0x50),
      submit.beneficiary,
      number(7),
      submit.refundTo,
      '0x1234',
    ],
    pays: false,
    free: ['nonce', 'gasPrice', 'to', 'value', 'input'],
  },
  {
    what: 'an internal transaction of Arbitrum',
    type: 0x6a,
    shown: common,
    fields: [number(CHAIN), '0xc0ffee'],
    pays: false,
    free: ['nonce', 'from', 'to', 'value', 'gas', 'gasPrice'],
  },
]

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

  test('fails under the name of another type that pays nobody', async () => {
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
