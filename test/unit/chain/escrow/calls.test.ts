import { Interface } from 'ethers'
import { expect, test } from 'vitest'
import { escrow, escrowFactory } from '../../../../contracts-abi/index.ts'
import { ESCROW_ABI, FACTORY_ABI } from '../../../../src/escrow/abi.ts'
import { FACTORY } from '../../../../src/escrow/address.ts'
import * as calls from '../../../../src/escrow/calls.ts'
import { packTerms } from '../../../../src/escrow/terms.ts'
import { validTerms } from './support.ts'

const CONTRACT = new Interface(escrow.abi)
const ESCROW = `0x${'ee'.repeat(20)}`
const HASH = `0x${'ab'.repeat(32)}`
const DONOR = `0x${'dd'.repeat(20)}`
const second = { verifier: 1, data: '0x02' }
const first = { verifier: 0, data: '0x01' }

test('the functions and events that the service knows are those of the contracts', () => {
  const factory = new Interface(escrowFactory.abi)
  const known = (abi: Interface) => abi.fragments.map((fragment) => fragment.format('sighash'))
  const eventsOf = (abi: Interface) =>
    abi.fragments.flatMap((one) => (one.type === 'event' ? [one.format('full')] : []))
  expect(known(CONTRACT)).toEqual(expect.arrayContaining(known(ESCROW_ABI)))
  expect(known(factory)).toEqual(expect.arrayContaining(known(FACTORY_ABI)))
  const own = eventsOf(CONTRACT).filter((text) => !text.includes('EIP712DomainChanged'))
  expect(eventsOf(ESCROW_ABI).toSorted()).toEqual(own.toSorted())
})

test.each([
  ['donate', calls.donateCall(ESCROW, { amount: 5n, refundTo: DONOR }), [5n, DONOR]],
  ['activate', calls.activateCall(ESCROW), []],
  [
    'release',
    calls.releaseCall(ESCROW, {
      milestone: 1,
      evidenceHash: HASH,
      validUntil: 9,
      signatures: [second, first],
    }),
    [
      1n,
      HASH,
      9n,
      [
        [0n, '0x01'],
        [1n, '0x02'],
      ],
    ],
  ],
  [
    'reject',
    calls.rejectCall(ESCROW, { milestone: 1, evidenceHash: HASH, signature: second }),
    [1n, HASH, [1n, '0x02']],
  ],
  ['releaseSurplus', calls.releaseSurplusCall(ESCROW), []],
  ['close', calls.closeCall(ESCROW), []],
  ['cancel', calls.cancelCall(ESCROW), []],
  [
    'terminate',
    calls.terminateCall(ESCROW, { reasonHash: HASH, validUntil: 9, signatures: [first] }),
    [HASH, 9n, [[0n, '0x01']]],
  ],
  ['refund', calls.refundCall(ESCROW, DONOR), [DONOR]],
  [
    'returnTransfers',
    calls.returnTransfersCall(ESCROW, {
      list: [
        { asset: ESCROW, receiver: DONOR, amount: 7n, transaction: HASH, position: 2 },
        { asset: DONOR, receiver: DONOR, amount: 8n, transaction: HASH, position: -1 },
      ],
      validUntil: 9,
      signatures: [second, first],
    }),
    [
      [
        [ESCROW, DONOR, 7n, HASH, 2n],
        [DONOR, DONOR, 8n, HASH, -1n],
      ],
      9n,
      [
        [0n, '0x01'],
        [1n, '0x02'],
      ],
    ],
  ],
] as const)('encodes %s as the contract decodes it', (name, call, args) => {
  expect(call).toMatchObject({ to: ESCROW, value: '0' })
  const decoded = CONTRACT.decodeFunctionData(name, call.data)
  expect(lowered(decoded.toArray(true))).toEqual(lowered(args))
})

test('deploys packed terms by the factory', () => {
  const packed = packTerms(validTerms)
  const call = calls.deployCall(packed)
  expect(call.to).toBe(FACTORY)
  const [terms] = new Interface(escrowFactory.abi).decodeFunctionData('deploy', call.data)
  expect(terms).toBe(packed)
})

/** Lowers addresses, because ethers decodes addresses with a checksum. */
const lowered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(lowered)
  return typeof value === 'string' ? value.toLowerCase() : value
}
