import { describe, expect, onTestFinished, test } from 'vitest'
import { proveHeader } from '../../../src/chain/encoding/header.ts'
import { proveReceipts } from '../../../src/chain/encoding/receipts.ts'
import { recoverSender } from '../../../src/chain/encoding/sender.ts'
import { createProofTools } from '../../../src/chain/encoding/tools.ts'
import { proveTransactions } from '../../../src/chain/encoding/transactions.ts'
import { isRelevantBlock, transfersIn } from '../../../src/chain/payments/scan-block.ts'
import {
  fixtureBlock,
  fixtureChain,
  fixtureForkBlock,
  fixtureReceipts,
  hasFixtures,
  type RecordedObject,
} from '../../support/rpc-server.ts'
import { clientOf, codeOf, serveForTest } from './support.ts'

const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const BLOCKS = [21773542, 21854576]

/**
 * Fields that nodes add for convenience. No root covers these fields, and the client never reads
 * them.
 */
const UNREAD = new Set([
  'from',
  'to',
  'contractAddress',
  'effectiveGasPrice',
  'blobGasPrice',
  'blobGasUsed',
  'blockTimestamp',
])

const transactionsOf = (raw: RecordedObject) => raw.transactions as Record<string, unknown>[]

if (!hasFixtures) console.log('Skipped: the recorded mainnet blocks are not here.')

/** Reads a recorded block, with the hashes of its transactions, its proof and its receipts. */
const recorded = async (number: number) => {
  const tools = await createProofTools()
  const raw = fixtureBlock(number)
  const block = proveTransactions(proveHeader(raw, tools), transactionsOf(raw), tools)
  return { tools, raw, block, receipts: fixtureReceipts(number) }
}

/** Connects a client to a node that has the recorded blocks. */
const connect = async (chain: object = {}) => {
  const server = await serveForTest(fixtureChain(BLOCKS))
  const client = clientOf({ urls: [server.url], chain })
  onTestFinished(() => client.close())
  return client
}

describe.skipIf(!hasFixtures)('recorded mainnet blocks', () => {
  test.each(['berlin', 'prague'] as const)(
    'proves the header and all transactions of %s',
    async (fork) => {
      const tools = await createProofTools()
      const raw = fixtureForkBlock(fork)
      const header = proveHeader(raw, tools)
      const block = proveTransactions(header, transactionsOf(raw), tools)
      expect(header.hash).toBe(raw.hash)
      expect(block.proof).toBe('transactions-root')
      const some = block.transactions.filter((_, index) => index % 6 === 0)
      expect(some.map(recoverSender)).toEqual(some.map((transaction) => transaction.raw?.from))
    },
  )

  test.each(['berlin', 'prague'] as const)(
    'disbelieves %s when any field of its header is altered',
    async (fork) => {
      const tools = await createProofTools()
      const raw = fixtureForkBlock(fork)
      const ignored = ['size', 'totalDifficulty', 'transactions', 'uncles', 'withdrawals']
      for (const [name, value] of Object.entries(raw)) {
        if (ignored.includes(name)) continue
        const altered = { ...raw, [name]: flipHexDigit(String(value), String(value).length - 1) }
        expect([name, await codeOf(() => proveHeader(altered, tools))]).toEqual([
          name,
          'header_forged',
        ])
      }
    },
  )

  test('says so when a header may have fields of a later fork', async () => {
    const tools = await createProofTools()
    const { requestsHash: _, ...old } = fixtureForkBlock('prague')
    const later = { ...old, fieldOfAnotherFork: `0x${'11'.repeat(32)}` }
    expect(await codeOf(() => proveHeader(later, tools))).toBe('header_unverified')
  })

  test('disbelieves transactions that are altered, left out, doubled or reordered', async () => {
    const tools = await createProofTools()
    const raw = fixtureForkBlock('prague')
    const header = proveHeader(raw, tools)
    const list = transactionsOf(raw)
    const [first = {}, second = {}, ...rest] = list
    const prove = (transactions: unknown[]) =>
      codeOf(() => proveTransactions(header, transactions, tools))
    expect(await prove([{ ...first, value: '0x1' }, second, ...rest])).toBe('transactions_forged')
    expect(await prove([{ ...first, hash: second.hash }, second, ...rest])).toBe(
      'transactions_forged',
    )
    expect(await prove([second, ...rest])).toBe('transactions_forged')
    expect(await prove([first, first, second, ...rest])).toBe('transactions_forged')
    expect(await prove([second, first, ...rest])).toBe('transactions_forged')
    expect(await prove([])).toBe('transactions_forged')
  })

  test.each(BLOCKS)('rebuilds the receipts root of block %i', async (number) => {
    const { tools, raw, block, receipts } = await recorded(number)
    const proven = proveReceipts(block, receipts, tools)
    expect(block.proof).toBe('receipts-root')
    expect(proven.map((receipt) => receipt.txHash)).toEqual(raw.transactions)
  })

  test.each(BLOCKS)(
    'disbelieves block %i with one digit of its receipts changed, wherever it is',
    async (number) => {
      const { tools, block, receipts } = await recorded(number)
      const text = JSON.stringify(receipts)
      const digits = hexDigitsOf(text)
      const random = seededRandom(20_260_119)
      for (let round = 0; round < 200; round += 1) {
        const at = digits[Math.floor(random() * digits.length)] ?? 0
        const altered = JSON.parse(flipHexDigit(text, at)) as unknown[]
        const code = await codeOf(() => proveReceipts(block, altered, tools))
        expect([at, code]).toEqual([at, 'receipts_forged'])
      }
    },
  )

  test('disbelieves receipts that are left out, doubled or reordered', async () => {
    const { tools, block, receipts } = await recorded(21854576)
    const [first = {}, second = {}, ...rest] = receipts
    const prove = (changed: unknown[]) => codeOf(() => proveReceipts(block, changed, tools))
    expect(await prove([second, ...rest])).toBe('receipts_forged')
    expect(await prove([first, first, second, ...rest])).toBe('receipts_forged')
    expect(await prove([second, first, ...rest])).toBe('receipts_forged')
    expect(await prove([])).toBe('receipts_forged')
  })

  test('finds the real USDC transfers of block 21773542 to the base unit, over JSON-RPC', async () => {
    const client = await connect({ proof: 'receipts-root' })
    const [block] = await client.blocks(21773542, 21773542)
    if (!block) throw new Error('no block')
    const receipts = (await client.receipts([block])).get(block.hash) ?? []
    const recipients = receipts.flatMap((receipt) =>
      receipt.logs.filter((log) => log.address === USDC).map((log) => topicAddress(log.topics[2])),
    )
    const watch = { accounts: new Set(recipients), tokens: new Set([USDC]) }
    const { transfers, returned } = transfersIn(block, receipts, watch)
    expect(isRelevantBlock(block, watch, new Set())).toBe(true)
    // Two more transfers passed through a router, which kept nothing of these amounts.
    expect(transfers).toHaveLength(21)
    const all = [...transfers, ...returned].map((one) => `${one.txHash} ${one.position}`)
    expect(new Set(all).size).toBe(23)
    expect(returned[0]).toEqual({
      txHash: '0x43d3e0e20dfd77b80d8eb47e44be5579de3816220169831377f5219086a136aa',
      position: 0,
      sender: '0x13b214eb52a1570f4b515e2e5c5058397262a9bd',
      recipient: '0xa8c1c98aaf99a5dfc907d61b892b2ad624901185',
      token: USDC,
      amount: 0x094c2459ccn,
    })
    // The three calls are: chain id, one block, and the receipts of this block.
    expect(client.stats()).toEqual({ calls: 3, requests: 2 })
  })

  test('refuses a block of hashes alone unless the chain is set to the lower proof', async () => {
    const client = await connect()
    expect(await codeOf(() => client.blocks(21773542, 21773542))).toBe('transactions_unverified')
  })
})

const topicAddress = (topic = ''): string => `0x${topic.slice(26)}`

/** The positions of all digits in hex values, except in the fields of `UNREAD`. */
const hexDigitsOf = (json: string): number[] => {
  const positions: number[] = []
  for (const match of json.matchAll(/(?:"(\w+)":)?"0x([0-9a-f]+)"/g)) {
    if (UNREAD.has(match[1] ?? '')) continue
    const start = match.index + match[0].length - 1 - (match[2]?.length ?? 0)
    for (let at = start; at < match.index + match[0].length - 1; at += 1) positions.push(at)
  }
  return positions
}

const flipHexDigit = (text: string, at: number): string => {
  const digit = Number.parseInt(text[at] ?? '0', 16)
  return text.slice(0, at) + (digit ^ 1).toString(16) + text.slice(at + 1)
}

/** mulberry32: a seeded generator, so that every run changes the same digits. */
const seededRandom = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
}
