import { expect, test } from 'vitest'
import { type Ids, useCheckedWorld } from './support/checked-world.ts'

const copy = useCheckedWorld()

/** Replaces a text in the body of those events of this type that mention the row. */
const rewrite = (type: string, name: string, from: string, to: string) => (ids: Ids) =>
  `update event set packed = regexp_replace(event.body, '${from}', '${to}')
   where type = '${type}' and event.body like '%${ids[name]}%'`
const completed = (from: string, to: string, name = 'exact') =>
  rewrite('donation.completed', name, from, to)
/** Inserts an invented event that is a copy of another event. */
const invent = (type: string, name: string, other: string) => (ids: Ids) =>
  `insert into event (id, type, campaign_id, audience, packed, created_at)
   select gen_random_uuid(), type, campaign_id, audience,
          replace(event.body, '${ids[name]}', '${ids[other]}'), created_at
   from event where type = '${type}' and event.body like '%${ids[name]}%' limit 1`

/** A tampered event: its name, the statement, and the row whose event the check must report. */
const CHANGES: readonly (readonly [string, (ids: Ids) => string, string, string])[] = [
  ['amount', completed('"amount":{"value":"20"', '"amount":{"value":"21"'), 'donation', 'exact'],
  [
    'amount of a credit that was reversed',
    completed('"amount":{"value":"2"', '"amount":{"value":"3"', 'lost'),
    'donation',
    'lost',
  ],
  [
    'credited amount of a conversion',
    completed('"creditedAmount":{"value":"', '"creditedAmount":{"value":"1', 'third'),
    'donation',
    'third',
  ],
  ['status', completed('"status":"completed"', '"status":"failed"'), 'donation', 'exact'],
  ['transaction', completed('"ledgerTxId":"0x', '"ledgerTxId":"0x00'), 'donation', 'exact'],
  ['campaign', completed('"campaignId":"', '"campaignId":"0'), 'donation', 'exact'],
  [
    'donation that was never paid',
    invent('donation.completed', 'exact', 'waiting'),
    'donation',
    'waiting',
  ],
  [
    'donation that is not there',
    invent('donation.completed', 'exact', 'wells'),
    'donation',
    'wells',
  ],
  ['second credit', invent('donation.completed', 'exact', 'exact'), 'donation', 'exact'],
  [
    'release that is gone',
    () => "delete from event where type = 'milestone.released'",
    'milestone',
    'wells 1',
  ],
  [
    'amount of a release',
    rewrite('milestone.released', 'wells 1', '"value":"30"', '"value":"31"'),
    'milestone',
    'wells 1',
  ],
  [
    'release that never was',
    invent('milestone.released', 'wells 1', 'wells 2'),
    'milestone',
    'wells 2',
  ],
  [
    'milestone that is not reached',
    invent('campaign.milestone.reached', 'wells 1', 'wells 3'),
    'milestone',
    'wells 3',
  ],
  [
    'milestone that is not there',
    invent('campaign.milestone.reached', 'wells 1', 'exact'),
    'milestone',
    'exact',
  ],
]

test.each(CHANGES)('finds a changed event: %s', async (_what, change, noun, name) => {
  const { tamper, found, ids } = await copy()
  await tamper(change(ids))
  expect(await found()).toEqual([`event of ${noun} ${ids[name]}`])
})

test('finds the proof of a donation that was removed', async () => {
  const { tamper, found, ids } = await copy()
  await tamper(`delete from donation_proof where donation_id = '${ids.exact}'`)
  expect(await found()).toEqual([`proof of donation ${ids.exact}`])
})
