import { expect, test } from 'vitest'
import {
  fateOf,
  marksOf,
  minutesLeft,
  reasonOf,
  stageOf,
} from '../../../../src/pages/donation/tracker.ts'
import { donations, donationWith } from './support/tracked.ts'

const marks = (...args: Parameters<typeof marksOf>) => Object.values(marksOf(...args)).join(' ')

test('marks each step of a donation that goes well', () => {
  expect(marks(donations.promise(), false)).toBe('done now next next next next')
  expect(marks(donations.recorded(), false)).toBe('done done now next next next')
  expect(marks(donations.confirming(), false)).toBe('done done done now next next')
  expect(marks(donations.completed(), false)).toBe('done done done done now next')
  expect(marks(donations.completed(), true)).toBe('done done done done done done')
})

test('marks the step that did not happen, and no step as running', () => {
  expect(marks(donations.ended('failed', 'transaction_reverted'), false)).toBe(
    'done done bad next next next',
  )
  const unpaid = { ...donations.promise(), status: 'expired' } as const
  expect(marks(unpaid, false)).toBe('done bad next next next next')
  expect(marks(donations.ended('reversed', 'reorganised'), false)).toBe(
    'done done bad next next next',
  )
})

test('shows no check for a payment that is worth nothing', () => {
  const money = { value: '0', currency: 'USDC' }
  const worthless = { ...donations.completed(), creditedAmount: money }
  expect(marks(worthless, false)).toBe('done done done done bad next')
  expect(stageOf(worthless)).toBe('other')
})

test('marks no payment as sent by a hash alone, which may be wrong', () => {
  expect(marks(donations.sent(), false)).toBe('done now next next next next')
})

test('shows how to pay a promise until a block has its payment', () => {
  expect(stageOf(donations.promise())).toBe('awaiting')
  expect(stageOf({ ...donations.promise(), status: 'expired' })).toBe('awaiting')
  expect(stageOf(donations.sent())).toBe('awaiting')
  expect(stageOf(donations.confirming())).toBe('other')
  expect(stageOf(donations.completed())).toBe('credited')
  expect(stageOf({ ...donations.completed(), status: 'refunded' })).toBe('credited')
})

test('names the reason, and nothing but the time while only finality is missing', () => {
  expect(reasonOf(donations.promise())).toBe('waiting_for_payment')
  expect(reasonOf(donations.sent())).toBe('waiting_for_payment')
  expect(reasonOf(donations.recorded())).toBe('waiting_for_transaction')
  expect(reasonOf(donations.confirming())).toBeNull()
  expect(reasonOf(donations.completed())).toBeNull()
  expect(reasonOf(donations.ended('failed', 'wrong_recipient'))).toBe('wrong_recipient')
  const { confirmation } = donations.confirming()
  if (!confirmation) throw new Error('A donation that is confirming has a confirmation.')
  const because = (reason: string) =>
    reasonOf(donationWith({ status: 'confirming', confirmation: { ...confirmation, reason } }))
  expect(because('price_stale')).toBe('price_stale')
  expect(because('unmatched')).toBeNull()
})

test('estimates the minutes until finality only for networks that it knows', () => {
  // The donation waits for 60 more blocks of 12 seconds.
  expect(minutesLeft(1, donations.confirming())).toBe(12)
  expect(minutesLeft(31_337, donations.confirming())).toBeNull()
  expect(minutesLeft(1, donations.completed())).toBeNull()
})

test('judges the transaction that was attached to a promise by its payments in blocks', () => {
  const free = { claimedBy: null, beforeCampaign: false }
  const early = { claimedBy: null, beforeCampaign: true }
  const claimed = { claimedBy: '01900000-0000-7000-8000-00000000000e', beforeCampaign: false }
  expect(fateOf([])).toBe('none')
  expect(fateOf([claimed])).toBe('claimed')
  expect(fateOf([claimed, early])).toBe('early')
  expect(fateOf([claimed, early, free])).toBe('found')
})
