import { Interface, TypedDataEncoder } from 'ethers'
import { expect, test } from 'vitest'
import { escrow } from '../../../../contracts-abi/index.ts'
import { ESCROW_TOPICS, readEscrowEvent } from '../../../../src/escrow/events.ts'
import * as typedData from '../../../../src/escrow/typed-data.ts'
import { NATIVE_ASSET } from '../../../../src/kernel/escrow-event.ts'

const CONTRACT = new Interface(escrow.abi)
const A = `0x${'aa'.repeat(20)}`
const B = `0x${'bb'.repeat(20)}`
const HASH = `0x${'cd'.repeat(32)}`

const EVENTS = [
  ['Donated', [A, B, 5n], { donor: A, payer: B, amount: '5' }],
  ['Activated', [2n ** 200n], { balance: String(2n ** 200n) }],
  [
    'MilestoneRejected',
    [1n, 0n, A, HASH],
    { milestone: 1, round: 0, verifier: A, evidenceHash: HASH },
  ],
  [
    'MilestoneReleased',
    [2n, A, B, 7n, HASH, 0b10_0000_0000_0101n],
    { milestone: 2, recipient: A, asset: B, amount: '7', evidenceHash: HASH, signers: [0, 2, 13] },
  ],
  ['SurplusReleased', [A, B, 7n], { recipient: A, asset: B, amount: '7' }],
  [
    'Failed',
    [0n, 1n, 2n, 3n, HASH],
    { reason: 'surplus', pool: '1', total: '2', recorded: '3', reasonHash: HASH },
  ],
  [
    'Failed',
    [4n, 1n, 2n, 3n, HASH],
    { reason: 'terminated', pool: '1', total: '2', recorded: '3', reasonHash: HASH },
  ],
  ['Refunded', [A, B, 5n], { donor: A, asset: B, amount: '5' }],
  [
    'TransferReturned',
    [A, B, 5n, HASH, -3n],
    { receiver: A, asset: B, amount: '5', transaction: HASH, position: -3 },
  ],
  [
    'TransferReturned',
    [A, B, 5n, HASH, -(2n ** 200n)],
    { receiver: A, asset: B, amount: '5', transaction: HASH, position: null },
  ],
] as const

test.each(EVENTS)('reads the event %s', (kind, args, fields) => {
  const log = CONTRACT.encodeEventLog(kind, args)
  expect(log.topics[0]).toBe(ESCROW_TOPICS[kind])
  expect(readEscrowEvent(log)).toEqual({ kind, fields })
})

test('reads nothing from other logs, and from logs with fewer topics or data', () => {
  const log = CONTRACT.encodeEventLog('Donated', [A, B, 5n])
  expect(readEscrowEvent({ topics: [], data: '0x' })).toBeNull()
  expect(readEscrowEvent({ topics: [HASH], data: '0x' })).toBeNull()
  expect(readEscrowEvent({ ...log, data: '0x' })).toBeNull()
  expect(readEscrowEvent({ ...log, topics: log.topics.slice(0, 2) })).toBeNull()
})

const DOMAIN = { chainId: 31_337, escrow: A, campaign: HASH }

test.each([
  [
    typedData.releaseTypedData(DOMAIN, {
      milestone: 1,
      round: 0,
      asset: A,
      amount: 5n,
      recipient: B,
      evidenceHash: HASH,
      validUntil: 9,
    }),
    'MilestoneRelease(bytes32 campaign,uint256 milestone,uint256 round,address asset,uint256 amount,address recipient,bytes32 evidenceHash,uint256 validUntil)',
  ],
  [
    typedData.rejectionTypedData(DOMAIN, { milestone: 1, round: 0, evidenceHash: HASH }),
    'MilestoneRejection(bytes32 campaign,uint256 milestone,uint256 round,bytes32 evidenceHash)',
  ],
  [
    typedData.terminationTypedData(DOMAIN, { reasonHash: HASH, validUntil: 9 }),
    'CampaignTermination(bytes32 campaign,bytes32 reasonHash,uint256 validUntil)',
  ],
  [
    typedData.returnsTypedData(DOMAIN, {
      list: [
        { asset: A, receiver: B, amount: 2n ** 200n, transaction: HASH, position: 4 },
        { asset: NATIVE_ASSET, receiver: A, amount: 1n, transaction: HASH, position: -2 },
      ],
      validUntil: 9,
    }),
    'TransferReturns(bytes32 campaign,TransferReturn[] list,uint256 validUntil)TransferReturn(address asset,address receiver,uint256 amount,bytes32 transaction,int256 position)',
  ],
])('asks for signatures of the type that the contract checks: %o', ({ types, ...rest }, type) => {
  const { EIP712Domain: _, ...structs } = types
  expect(TypedDataEncoder.from(structs).encodeType(rest.primaryType)).toBe(type)
  expect(rest.domain).toEqual({ ...escrow.domain, chainId: 31_337, verifyingContract: A })
  expect(TypedDataEncoder.hash(rest.domain, structs, rest.message)).toMatch(/^0x[0-9a-f]{64}$/)
})
