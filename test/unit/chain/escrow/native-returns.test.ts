import { Interface } from 'ethers'
import { expect, test } from 'vitest'
import { escrow } from '../../../../contracts-abi/index.ts'
import { outflowsIn } from '../../../../src/chain/payments/account-flows.ts'
import type { Block } from '../../../../src/chain/types.ts'
import { NATIVE_ASSET } from '../../../../src/kernel/escrow-event.ts'

const ACCOUNT = `0x${'aa'.repeat(20)}`
const DONOR = `0x${'bb'.repeat(20)}`
const HASH = `0x${'cd'.repeat(32)}`

test('the native coin that an escrow returns leaves its account', () => {
  const args = [DONOR, NATIVE_ASSET, 7n, HASH, -1n]
  const event = new Interface(escrow.abi).encodeEventLog('TransferReturned', args)
  const receipt = { txHash: HASH, succeeded: true, logs: [{ ...event, address: ACCOUNT }] }
  const escrows = new Set([ACCOUNT])
  const watch = { accounts: escrows, escrows, tokens: new Set<string>() }
  const block = { number: 1, proof: 'transactions-root', transactions: [] } as unknown as Block
  expect(outflowsIn(block, [receipt], watch)).toEqual([
    { txHash: HASH, account: ACCOUNT, token: null, amount: 7n, proven: true },
  ])
})
