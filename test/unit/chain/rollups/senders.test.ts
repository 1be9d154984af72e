import { encodeRlp, id, keccak256, SigningKey } from 'ethers'
import { expect, onTestFinished, test } from 'vitest'
import { outflowsIn } from '../../../../src/chain/payments/account-flows.ts'
import { netRiseByCalls } from '../../../../src/chain/payments/internal-payments.ts'
import { nonceUser } from '../../../../src/chain/payments/nonce-user.ts'
import { EMPTY_CODE_HASH, EMPTY_ROOT } from '../../../../src/verifier/trie.ts'
import { serveRpc } from '../../../support/rpc-server.ts'
import { clientOf } from '../support.ts'
import {
  account,
  CHAIN,
  common,
  FROM,
  hash,
  number,
  prove,
  signedTransfer,
  TO,
  typed,
} from './encode.ts'

const requestId = hash('request')
/**
 * Deposits that rollups put into their blocks. A deposit has no signature, and encodes no gas
 * price.
 */
const deposits = [
  {
    what: 'Arbitrum',
    minted: 0x77n,
    encoded: typed(0x64, [number(CHAIN), requestId, FROM, TO, number(0x77)]),
    shown: { ...common, type: '0x64', requestId },
  },
  {
    what: 'an OP chain',
    minted: 0x70n,
    encoded: typed(0x7e, [hash('source'), FROM, TO, '0x70', number(0x77), number(1), '0x', '0x']),
    shown: {
      ...common,
      type: '0x7e',
      sourceHash: hash('source'),
      mint: '0x70',
      gas: '0x1',
      input: '0x',
    },
  },
].map(({ shown, encoded, what, minted }) => ({
  ...{ what, encoded, minted },
  shown: { ...shown, hash: keccak256(encoded) },
}))

const receiptOf = (txHash: string) => ({ txHash, succeeded: true, logs: [], gasUsed: 5 })

test.each(deposits)(
  'a deposit of $what by a watched account stops no reconciliation, and takes less by what it mints',
  async ({ encoded, shown, minted }) => {
    const block = await prove([encoded], [shown])
    const watch = { accounts: new Set([FROM]), tokens: new Set<string>() }
    expect(outflowsIn(block, [receiptOf(shown.hash)], watch)).toMatchObject([
      { account: FROM, token: null, amount: 0x77n - minted },
    ])
  },
)

test.each(deposits)(
  'a deposit of $what uses up no nonce, not even the one that a node writes there',
  async ({ encoded, shown }) => {
    for (const nonce of ['0x3', 'none', null, undefined]) {
      const block = await prove([encoded], [{ ...shown, nonce }])
      expect(nonceUser(block, FROM, 3)).toBeNull()
    }
  },
)

test('who sent a transaction is read from its signature, and not from what a node calls its sender', async () => {
  const { encoded, shown } = await signedTransfer(2)
  const sender = shown.from
  const state = { balance: 1_000n, nonce: 1n, codeHash: EMPTY_CODE_HASH, storageRoot: EMPTY_ROOT }
  const before = { ...state, nonce: 1n }
  // The sender paid 5 gas at a price of 5, and the value 0x77.
  const after = { ...state, nonce: 2n, balance: 1_000n - 25n - 0x77n }
  for (const from of [sender, account('another'), 'no address', 7, null, undefined]) {
    const proven = await prove([encoded], [{ ...shown, from }])
    const block = { ...proven, baseFeePerGas: 4n }
    const receipts = [receiptOf(shown.hash)]
    expect(netRiseByCalls(block, receipts, sender, { before, after })).toBe(0n)
    const paid = { before: state, after: { ...state, balance: 1_000n + 0x77n } }
    expect(netRiseByCalls(block, receipts, TO, paid)).toBe(0n)
  }
})

test('a waiting transaction whose nonce no number holds is no fault of the node that shows it', async () => {
  const nonce = number(2n ** 60n)
  const unsigned = [nonce, number(5), number(21_000), TO, number(0x77), '0x']
  const key = new SigningKey(id('a donor'))
  const { r, s, v } = key.sign(keccak256(encodeRlp(unsigned)))
  const raw = encodeRlp([...unsigned, number(v), number(r), number(s)])
  const { shown } = await signedTransfer(0)
  const waiting = {
    ...shown,
    ...{ hash: keccak256(raw), nonce: '0x1000000000000000', gasPrice: '0x5', blockNumber: null },
    ...{ r, s, v: `0x${v.toString(16)}` },
  }
  const node = await serveRpc((method) => (method === 'eth_chainId' ? '0x1' : waiting))
  onTestFinished(() => node.close())
  const client = clientOf({ urls: [node.url] })
  onTestFinished(() => client.close())
  expect(await client.transactionsByHash([waiting.hash])).toMatchObject([{ nonce: null }])
  expect(client.nodes()).toMatchObject([{ state: 'up' }])
})
