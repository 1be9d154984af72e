import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { outflowsIn } from '../../../src/chain/payments/account-flows.ts'
import { addressTopic, TRANSFER_TOPIC } from '../../../src/chain/payments/erc20.ts'
import { transfersIn } from '../../../src/chain/payments/scan-block.ts'
import type { Block, Log, Receipt } from '../../../src/chain/types.ts'
import { fromHex } from '../../../src/verifier/bytes.ts'
import { checkPayment } from '../../../src/verifier/chain-checks.ts'
import type { DonationProof } from '../../../src/verifier/index.ts'
import {
  countKept,
  type Move,
  unloggedMoves,
  WITHDRAWAL_TOPIC,
} from '../../../src/verifier/kept.ts'

const addressOf = (name: string): string => `0x${name.repeat(40)}`
const ACCOUNT = addressOf('a')
const SECOND = addressOf('b')
const DONOR = addressOf('d')
const ZERO = addressOf('0')
const TOKEN = addressOf('7')
const OTHER_TOKEN = addressOf('8')
const UNKNOWN_TOKEN = addressOf('9')
const HASH = `0x${'ef'.repeat(32)}`

const anyone = fc.constantFrom(ACCOUNT, SECOND, DONOR, ZERO)
const someMoves = fc.array(
  fc.record({ sender: anyone, recipient: anyone, amount: fc.bigInt(0n, 30n) }),
  { maxLength: 12 },
)

/**
 * Applies the rule unit by unit: received units count in order, up to the number that the account
 * kept.
 */
const unitByUnit = (moves: readonly Move[], account: string): bigint[] => {
  const others = moves.filter(({ sender, recipient }) => sender !== recipient)
  const units = (some: readonly Move[]) => some.flatMap((one) => Array(Number(one.amount)).fill(1))
  const came = units(others.filter((one) => one.recipient === account)).length
  const left = units(others.filter((one) => one.sender === account)).length
  let kept = came - left
  return moves.map((move) => {
    let counted = 0n
    if (move.recipient !== account || move.sender === account) return counted
    for (let unit = 0n; unit < move.amount && kept > 0; unit++, kept--) counted += 1n
    return counted
  })
}

describe('what of a transaction’s moves counts for an account', () => {
  test('is what it kept, in their order, for any moves', () => {
    fc.assert(
      fc.property(someMoves, anyone, (moves, account) => {
        expect(countKept(moves, account)).toEqual(unitByUnit(moves, account))
      }),
      { numRuns: 3_000, seed: 10 },
    )
  })

  test('is all of a single payment, and nothing of what an account sends to itself', () => {
    const paid = { sender: DONOR, recipient: ACCOUNT, amount: 2n ** 255n }
    expect(countKept([paid], ACCOUNT)).toEqual([2n ** 255n])
    expect(countKept([{ ...paid, sender: ACCOUNT }, paid], ACCOUNT)).toEqual([0n, 2n ** 255n])
    expect(countKept([null, paid, null], DONOR)).toEqual([0n, 0n, 0n])
  })

  test('does not depend on when the account pays out', () => {
    const first = { sender: DONOR, recipient: ACCOUNT, amount: 7n }
    const second = { sender: SECOND, recipient: ACCOUNT, amount: 5n }
    const out = { sender: ACCOUNT, recipient: DONOR, amount: 8n }
    expect(countKept([out, first, second], ACCOUNT)).toEqual([0n, 4n, 0n])
    expect(countKept([first, out, second], ACCOUNT)).toEqual([4n, 0n, 0n])
    expect(countKept([first, second, out], ACCOUNT)).toEqual([4n, 0n, 0n])
  })
})

describe('what a withdrawal of wrapped money moves', () => {
  const burn = { sender: ACCOUNT, recipient: ZERO, amount: 4n }
  const moved = (withdrawn: bigint[], moves: Move[]) =>
    unloggedMoves(
      moves,
      withdrawn.map((amount) => ({ sender: ACCOUNT, amount })),
    ).map((one) => one.amount)

  test('is what no Transfer to the zero address shows', () => {
    expect(moved([4n], [])).toEqual([4n])
    expect(moved([4n], [burn])).toEqual([])
    expect(moved([3n, 4n], [burn])).toEqual([3n])
    expect(moved([3n], [burn, burn])).toEqual([])
    expect(moved([4n], [{ ...burn, sender: DONOR }])).toEqual([4n])
    expect(moved([4n], [{ ...burn, recipient: DONOR }])).toEqual([4n])
  })
})

const word = (amount: bigint): string => `0x${amount.toString(16).padStart(64, '0')}`

const SHAPES = [
  ...['transfer', 'transfer', 'transfer', 'transfer', 'nft', 'dirty', 'short', 'event'],
  ...['withdrawal', 'other withdrawal'],
]

/** Arbitrary logs: token events, and logs that only look like token events. */
const anyLog: fc.Arbitrary<Log> = fc
  .record({
    token: fc.constantFrom(TOKEN, TOKEN, OTHER_TOKEN, UNKNOWN_TOKEN),
    sender: anyone,
    recipient: anyone,
    amount: fc.bigInt(0n, 30n),
    shape: fc.constantFrom(...SHAPES),
  })
  .map(({ token, sender, recipient, amount, shape }) => {
    const topics = [TRANSFER_TOPIC, addressTopic(sender), addressTopic(recipient)]
    if (shape === 'nft') topics.push(word(amount))
    if (shape === 'dirty') topics[2] = `0x${'1'.repeat(24)}${recipient.slice(2)}`
    if (shape === 'event') topics[0] = HASH
    if (shape === 'withdrawal') topics.splice(0, 3, WITHDRAWAL_TOPIC, addressTopic(sender))
    if (shape === 'other withdrawal') topics[0] = WITHDRAWAL_TOPIC
    const data = shape === 'short' ? '0x' : word(amount)
    return { address: token, topics, data }
  })

const watch = { accounts: new Set([ACCOUNT, SECOND]), tokens: new Set([TOKEN, OTHER_TOKEN]) }

const blockOf = (): Block => ({
  ...{ number: 1, hash: HASH, parentHash: HASH, timestamp: 0, gasUsed: 0, logsBloom: '0x' },
  ...{ stateRoot: HASH, receiptsRoot: HASH, transactionsRoot: HASH },
  proof: 'transactions-root',
  transactions: [{ hash: HASH, to: null, value: 0n, raw: {} }],
})

/** Whether the verifier accepts a credit of this amount for a log. */
const believes = (
  logs: readonly Log[],
  position: number,
  amount: bigint,
  escrow?: string,
): boolean => {
  const [, from = '', to = ''] = logs[position]?.topics ?? []
  const donation = {
    asset: `eip155:1/erc20:${logs[position]?.address}`,
    account: `0x${to.slice(26)}`,
    sender: `0x${from.slice(26)}`,
    amount: amount.toString(),
    position,
  }
  const receipt = {
    succeeded: true,
    logs: logs.map((log) => ({ ...log, data: fromHex(log.data) })),
  }
  try {
    const countsAll = donation.account === escrow
    checkPayment({ chainId: 1, donation } as DonationProof, receipt, null, countsAll)
    return true
  } catch {
    return false
  }
}

/** The amounts that the logs of a token added to an account. A removed amount is negative. */
const movedFor = (logs: readonly Log[], token: string, account: string): { amount: bigint }[] => {
  const is = (topic: string | undefined, address: string) => topic === addressTopic(address)
  const amounts = { moved: [] as bigint[], burned: 0n, withdrawn: 0n }
  for (const { address, topics, data } of logs) {
    const [topic, from, to, ...more] = topics
    if (address !== token || data === '0x' || more.length > 0) continue
    if (topic === WITHDRAWAL_TOPIC && to === undefined && is(from, account)) {
      amounts.withdrawn += BigInt(data)
    }
    if (topic !== TRANSFER_TOPIC || from === to) continue
    if (is(to, account)) amounts.moved.push(BigInt(data))
    // A topic is no address if its first 12 bytes are not zero.
    if (!is(from, account) || !to?.startsWith(word(0n).slice(0, 26))) continue
    amounts.moved.push(-BigInt(data))
    if (is(to, ZERO)) amounts.burned += BigInt(data)
  }
  const { moved, burned, withdrawn } = amounts
  return [...moved, withdrawn > burned ? burned - withdrawn : 0n].map((amount) => ({ amount }))
}

describe('a receipt of any logs', () => {
  test.each([
    ['', undefined],
    [', also for an escrow', SECOND],
  ])(
    'counts alike for the service and for the verifier, and only in that amount%s',
    (_, escrow) => {
      const escrows = new Set(escrow === undefined ? [] : [escrow])
      fc.assert(
        fc.property(fc.array(anyLog, { maxLength: 10 }), (logs) => {
          const receipts: Receipt[] = [{ txHash: HASH, succeeded: true, logs }]
          const { transfers, returned } = transfersIn(blockOf(), receipts, { ...watch, escrows })
          for (const { position, amount } of transfers) {
            expect(believes(logs, position, amount, escrow)).toBe(true)
            expect(believes(logs, position, amount + 1n, escrow)).toBe(false)
            expect(believes(logs, position, amount - 1n, escrow)).toBe(false)
          }
          for (const { position } of returned) {
            const whole = BigInt(logs[position]?.data ?? 0)
            expect(believes(logs, position, whole, escrow)).toBe(false)
          }
        }),
        { numRuns: 2_000, seed: 11 },
      )
    },
  )

  test('changes a balance by what counts less what left, for each account and token', () => {
    fc.assert(
      fc.property(fc.array(anyLog, { maxLength: 10 }), (logs) => {
        const receipts: Receipt[] = [{ txHash: HASH, succeeded: true, logs }]
        const { transfers, returned } = transfersIn(blockOf(), receipts, watch)
        const outflows = outflowsIn(blockOf(), receipts, watch)
        const sum = (some: readonly { amount: bigint }[]) =>
          some.reduce((total, one) => total + one.amount, 0n)
        for (const account of watch.accounts) {
          for (const token of watch.tokens) {
            const isThis = (one: { token: string | null }) => one.token === token
            const paid = movedFor(logs, token, account)
            const mine = transfers.filter((one) => isThis(one) && one.recipient === account)
            const out = outflows.filter((one) => isThis(one) && one.account === account)
            expect(sum(mine) - sum(out)).toBe(sum(paid))
            // An account has kept transfers, or an outflow, but never both.
            expect(Math.min(mine.length, out.length)).toBe(0)
            const gone = returned.filter((one) => isThis(one) && one.recipient === account)
            const gross = paid.filter((one) => one.amount > 0n)
            expect(sum(mine) + sum(gone)).toBe(sum(gross))
          }
        }
      }),
      { numRuns: 2_000, seed: 12 },
    )
  })
})
