import { keccak256, Transaction, Wallet } from 'ethers'
import { describe, expect, test } from 'vitest'
import { addressTopic, TRANSFER_TOPIC } from '../../../src/chain/payments/erc20.ts'
import { NATIVE_LOG_ADDRESS } from '../../../src/chain/payments/native-log.ts'
import { transfersIn } from '../../../src/chain/payments/scan-block.ts'
import type { Block, Log } from '../../../src/chain/types.ts'
import { FUNDED_KEY } from '../../support/anvil-process.ts'

const HASH = `0x${'ab'.repeat(32)}`
const ACCOUNT = '0x00000000000000000000000000000000000000aa'
const ROUTER = '0x00000000000000000000000000000000000000bb'
const wallet = new Wallet(FUNDED_KEY)
const sender = wallet.address.toLowerCase()

const nativeLog = (from: string, to: string, value: bigint): Log => ({
  address: NATIVE_LOG_ADDRESS,
  topics: [TRANSFER_TOPIC, addressTopic(from), addressTopic(to)],
  data: `0x${value.toString(16).padStart(64, '0')}`,
})

/** A proven block with one transaction. The transaction emitted `logs`. */
const blockOf = (to: string, value: bigint): Block => {
  const signed = new Transaction()
  Object.assign(signed, { type: 0, chainId: 1n, to, value, gasPrice: 1n, gasLimit: 21_000n })
  signed.signature = wallet.signingKey.sign(signed.unsignedHash)
  const hash = keccak256(signed.serialized)
  const hex = (number: bigint | number) => `0x${number.toString(16)}`
  const raw = {
    ...{
      hash,
      type: '0x0',
      nonce: '0x0',
      gasPrice: '0x1',
      gas: hex(21_000),
      to,
      value: hex(value),
    },
    ...{ input: '0x', from: sender, r: signed.signature?.r, s: signed.signature?.s },
    v: hex(37 + (signed.signature?.yParity ?? 0)),
  }
  return {
    ...{ number: 100, hash: HASH, parentHash: HASH, timestamp: 0, gasUsed: 0 },
    logsBloom: '0x',
    ...{ stateRoot: HASH, receiptsRoot: HASH, transactionsRoot: HASH },
    proof: 'transactions-root',
    transactions: [{ hash, to, value, raw }],
  }
}

const scan = (block: Block, logs: Log[], nativeLogsFrom?: number) =>
  transfersIn(block, [{ txHash: block.transactions[0]?.hash ?? '', succeeded: true, logs }], {
    ...{ accounts: new Set([ACCOUNT]), tokens: new Set<string>() },
    ...(nativeLogsFrom === undefined ? {} : { nativeLogsFrom }),
  }).transfers.map((one) => [one.position, one.sender, one.amount])

describe('the chain’s own logs of native payments (EIP-7708)', () => {
  test('count the transaction’s own value once', () => {
    const logs = [nativeLog(sender, ACCOUNT, 9n)]
    expect(scan(blockOf(ACCOUNT, 9n), logs, 100)).toEqual([[-1, sender, 9n]])
    expect(scan(blockOf(ACCOUNT, 9n), logs)).toEqual([[-1, sender, 9n]])
  })

  test('count what calls of the same transaction pay beside it, even the same amount', () => {
    const logs = [
      nativeLog(sender, ACCOUNT, 9n),
      nativeLog(ROUTER, ACCOUNT, 9n),
      nativeLog(ACCOUNT, ROUTER, 1n),
      nativeLog(ROUTER, ACCOUNT, 2n),
    ]
    expect(scan(blockOf(ACCOUNT, 9n), logs, 100)).toEqual([
      [-1, sender, 9n],
      [-2, ROUTER, 9n],
      // Of the payment of 2 only 1 counts, because the account paid 1 in the same transaction.
      [-3, ROUTER, 1n],
    ])
  })

  test('count payments by calls of a transaction that carries value to another account', () => {
    const logs = [nativeLog(sender, ROUTER, 9n), nativeLog(ROUTER, ACCOUNT, 9n)]
    expect(scan(blockOf(ROUTER, 9n), logs, 100)).toEqual([[-2, ROUTER, 9n]])
  })

  test('say nothing before their block, nor where the block’s transactions are not proven', () => {
    const logs = [nativeLog(sender, ROUTER, 9n), nativeLog(ROUTER, ACCOUNT, 9n)]
    expect(scan(blockOf(ROUTER, 9n), logs, 101)).toEqual([])
    expect(scan({ ...blockOf(ROUTER, 9n), proof: 'receipts-root' }, logs, 100)).toEqual([])
  })
})
