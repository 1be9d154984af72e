import { keccak256 } from 'ethers'
import { describe, expect, test } from 'vitest'
import { mayHoldSafeReceived, mayHoldTransfer } from '../../../src/chain/payments/bloom.ts'
import { addressTopic, readTransferLog, TRANSFER_TOPIC } from '../../../src/chain/payments/erc20.ts'
import { NATIVE_LOG_ADDRESS } from '../../../src/chain/payments/native-log.ts'
import { SAFE_RECEIVED_TOPIC } from '../../../src/chain/payments/safe-received.ts'
import { outcomesOf, transfersIn } from '../../../src/chain/payments/scan-block.ts'
import type { Block, Log } from '../../../src/chain/types.ts'

const addressOf = (n: number) => `0x${n.toString(16).padStart(40, '0')}`
const TOKEN = addressOf(0xa0)
const ACCOUNT = addressOf(0xb0)
const SENDER = addressOf(0xc0)
const HASH = `0x${'11'.repeat(32)}`

/** Computes the bloom of some items as the Yellow Paper defines it. */
const bloomOf = (items: string[]): string => {
  let bloom = 0n
  for (const item of items) {
    const hash = keccak256(item).slice(2)
    for (const pair of [0, 4, 8]) {
      bloom |= 1n << (BigInt(`0x${hash.slice(pair, pair + 4)}`) % 2048n)
    }
  }
  return `0x${bloom.toString(16).padStart(512, '0')}`
}

const transferLog = (log: Partial<Log> = {}): Log => ({
  address: TOKEN,
  topics: [TRANSFER_TOPIC, addressTopic(SENDER), addressTopic(ACCOUNT)],
  data: `0x${'5'.padStart(64, '0')}`,
  ...log,
})

const blockOf = (block: Partial<Block> = {}): Block => ({
  number: 1,
  hash: HASH,
  parentHash: HASH,
  timestamp: 0,
  gasUsed: 0,
  logsBloom: bloomOf([]),
  stateRoot: HASH,
  receiptsRoot: HASH,
  transactionsRoot: HASH,
  proof: 'transactions-root',
  transactions: [{ hash: HASH, to: TOKEN, value: 0n, raw: {} }],
  ...block,
})

describe('a bloom filter', () => {
  const watch = { accounts: new Set([addressOf(1), ACCOUNT]), tokens: new Set([TOKEN]) }

  test('holds a transfer of a watched token to a watched account', () => {
    const bloom = bloomOf([TRANSFER_TOPIC, TOKEN, addressTopic(SENDER), addressTopic(ACCOUNT)])
    expect(mayHoldTransfer(bloom, watch)).toBe(true)
  })

  test.each([
    ['event', [TOKEN, addressTopic(ACCOUNT)]],
    ['token', [TRANSFER_TOPIC, addressTopic(ACCOUNT)]],
    ['account', [TRANSFER_TOPIC, TOKEN, addressTopic(SENDER)]],
  ])('proves that there is none without the %s', (_, items) => {
    expect(mayHoldTransfer(bloomOf(items), watch)).toBe(false)
  })

  test('holds a watched account’s word that it was paid, and proves that there is none', () => {
    expect(mayHoldSafeReceived(bloomOf([SAFE_RECEIVED_TOPIC, ACCOUNT]), watch)).toBe(true)
    expect(mayHoldSafeReceived(bloomOf([SAFE_RECEIVED_TOPIC, SENDER]), watch)).toBe(false)
    expect(mayHoldSafeReceived(bloomOf([TRANSFER_TOPIC, ACCOUNT]), watch)).toBe(false)
  })

  test('counts the chain’s own logs among the tokens only where it writes them (EIP-7708)', () => {
    const bloom = bloomOf([TRANSFER_TOPIC, NATIVE_LOG_ADDRESS, addressTopic(ACCOUNT)])
    expect(mayHoldTransfer(bloom, watch)).toBe(false)
    expect(mayHoldTransfer(bloom, { ...watch, nativeLogsFrom: 0 })).toBe(true)
  })

  test('holds nothing for an empty watch list', () => {
    const all = `0x${'ff'.repeat(256)}`
    expect(mayHoldTransfer(all, { accounts: new Set(), tokens: new Set([TOKEN]) })).toBe(false)
    expect(mayHoldTransfer(all, { accounts: new Set([ACCOUNT]), tokens: new Set() })).toBe(false)
  })

  test('checks 1 000 blocks against 1 000 accounts without hashing again', () => {
    const accounts = new Set(Array.from({ length: 1_000 }, (_, i) => addressOf(i + 1_000)))
    const many = { accounts, tokens: new Set([TOKEN]) }
    const bloom = bloomOf([TRANSFER_TOPIC, TOKEN])
    mayHoldTransfer(bloom, many)
    const started = performance.now()
    for (let block = 0; block < 1_000; block += 1) mayHoldTransfer(bloom, many)
    // Hashing each account for each block would take about 8 000 ms.
    expect(performance.now() - started).toBeLessThan(1_000)
  })
})

describe('a Transfer log', () => {
  test('is read from its topics and data', () => {
    expect(readTransferLog(transferLog())).toEqual({
      sender: SENDER,
      recipient: ACCOUNT,
      amount: 5n,
    })
  })

  test.each<[string, Partial<Log>]>([
    ['an NFT, with four topics', { topics: [...transferLog().topics, HASH] }],
    ['two topics', { topics: transferLog().topics.slice(0, 2) }],
    ['no topics', { topics: [] }],
    ['another event', { topics: [HASH, addressTopic(SENDER), addressTopic(ACCOUNT)] }],
    ['a topic that is no address', { topics: [TRANSFER_TOPIC, addressTopic(SENDER), HASH] }],
    ['no data', { data: '0x' }],
    ['more data', { data: `0x${'0'.repeat(128)}` }],
    ['nothing moved', { data: `0x${'0'.repeat(64)}` }],
  ])('is no transfer with %s', (_, part) => {
    expect(readTransferLog(transferLog(part))).toBeNull()
  })
})

describe('scanning a block', () => {
  const watch = { accounts: new Set([ACCOUNT]), tokens: new Set([TOKEN]) }

  test('counts positions within the receipt, past logs of other contracts', () => {
    const logs = [transferLog({ address: SENDER }), transferLog()]
    const receipts = [{ txHash: HASH, succeeded: true, logs }]
    expect(transfersIn(blockOf(), receipts, watch).transfers).toEqual([
      { txHash: HASH, position: 1, sender: SENDER, recipient: ACCOUNT, token: TOKEN, amount: 5n },
    ])
  })

  test('finds nothing in a transaction that failed', () => {
    const receipts = [{ txHash: HASH, succeeded: false, logs: [transferLog()] }]
    expect(transfersIn(blockOf(), receipts, watch).transfers).toEqual([])
  })

  test('reports no native payment that the block does not prove, and says so of a claim', () => {
    const transactions = [{ hash: HASH, to: ACCOUNT, value: 9n, raw: {} }]
    const block = blockOf({ proof: 'receipts-root', transactions })
    const receipts = [{ txHash: HASH, succeeded: true, logs: [] }]
    expect(transfersIn(block, receipts, watch).transfers).toEqual([])
    expect(outcomesOf(block, receipts, new Set([HASH]), watch)).toEqual([
      { txHash: HASH, reverted: false, unknownTokenRecipients: [], valueUnproven: true },
    ])
  })

  test('does not take the native currency, logged by EIP-7708, for an unknown token', () => {
    const logs = [transferLog({ address: '0xfffffffffffffffffffffffffffffffffffffffe' })]
    const receipts = [{ txHash: HASH, succeeded: true, logs }]
    const [outcome] = outcomesOf(blockOf(), receipts, new Set([HASH]), watch)
    expect(outcome?.unknownTokenRecipients).toEqual([])
  })
})
