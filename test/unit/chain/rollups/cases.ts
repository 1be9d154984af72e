import { id, Transaction, Wallet } from 'ethers'
import type { RpcObject } from '../../../../src/chain/rpc/read.ts'
import { account, CHAIN, common, FROM, hash, type Item, number, TO, typed } from './encode.ts'

/** A transaction of a rollup in the form of a node, and the fields of its encoding. */
export type Case = {
  what: string
  type: number
  shown: RpcObject
  fields: Item
  /**
   * Whether a payment from FROM to TO is proven. Otherwise `to` and `value` are claims of the node.
   */
  pays: boolean
  /** Fields that no hash covers. */
  free?: readonly string[]
}

export const submit = {
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

export const cases: Case[] = [
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

const wallet = new Wallet(id('a donor'))
export const DONOR = wallet.address.toLowerCase()

/** A transaction of Arbitrum before Nitro. With `sender` the transaction needs no signature. */
export const beforeNitro = async (sender?: string) => {
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
