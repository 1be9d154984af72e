import { expect, test } from 'vitest'
import type { Context } from '../../../src/db/context.ts'
import { DomainError } from '../../../src/kernel/errors.ts'
import type { TestMetrics } from '../../support/metrics.ts'
import { atLeast, exactly, waitFor } from '../../support/wait-for.ts'
import { createTestCampaign, createUser } from '../../support/world.ts'
import { createCountedSource, createLiveWorld } from './support/live-world.ts'
import { openPageStream, type PageStream } from './support/page-stream.ts'

const PAUSE_MS = 100
const VIEWERS = 50

const open = (metrics: TestMetrics, count: number) =>
  waitFor(
    `${count} streams to be open`,
    () => metrics.value('fundproof_page_streams_open', {}),
    exactly(count),
  )

const shown = (viewers: readonly PageStream[], text: string) =>
  waitFor(
    `all viewers to see ${text}`,
    () => viewers.filter((viewer) => viewer.texts('total').at(-1) !== text).length,
    exactly(0),
  )

const ended = (viewer: PageStream) => waitFor('the stream to end', () => viewer.ended(), Boolean)

/** A campaign whose raised amount one part shows. This part has two lines. */
const createWatched = async (options: Parameters<typeof createLiveWorld>[1] = {}) => {
  let raised = 0
  const { source, counts, watch } = createCountedSource((lang) => ({
    total: `<b>${lang}</b>\n${raised}`,
    title: '<h2>Wells</h2>',
  }))
  const world = await createLiveWorld(source, { pauseMs: PAUSE_MS, ...options })
  const creator = await createUser(world.ctx)
  const account = `0x${'ab'.repeat(20)}`
  const campaignId = await createTestCampaign(world.ctx, { creator, account, target: '100' })
  watch(campaignId)
  const raise = async (to: number) => {
    raised = to
    await moveTotal(world.ctx, campaignId)
  }
  return { ...world, counts, raise }
}

const moveTotal = ({ sql }: Context, campaignId: string) => sql`
  update campaign_total set raised = raised + 1, updated_at = clock_timestamp()
  where campaign_id = ${campaignId}`

test('renders an update once for each language, for any number of viewers', async () => {
  const { url, counts, metrics, raise } = await createWatched()
  const languages = Array.from({ length: VIEWERS }, (_, index) => (index % 2 === 0 ? 'en' : 'de'))
  const viewers = await Promise.all(
    languages.map((lang) => openPageStream(`${url}/a/live?lang=${lang}`)),
  )
  expect(viewers.map(({ status }) => status)).toEqual(languages.map(() => 200))
  await open(metrics, VIEWERS)
  const [english, german] = ['en', 'de'].map((lang) =>
    viewers.filter((_, index) => languages[index] === lang),
  )
  for (const raised of [0, 1, 2]) {
    if (raised > 0) await raise(raised)
    await shown(english ?? [], `<b>en</b>\n${raised}`)
    await shown(german ?? [], `<b>de</b>\n${raised}`)
  }
  expect([...counts.parts].sort()).toEqual([
    ['de', 3],
    ['en', 3],
  ])
  for (const lang of ['en', 'de']) {
    expect(metrics.value('fundproof_page_updates_rendered_total', { lang })).toBe(3)
  }
  for (const viewer of viewers) {
    expect(viewer.texts('total')).toHaveLength(3)
    // An unchanged part is not sent again.
    expect(viewer.texts('title')).toHaveLength(1)
    expect(viewer.retryMs()).toBeGreaterThanOrEqual(1_000)
    expect(viewer.headers['content-type']).toBe('text/event-stream')
    expect(viewer.headers['cache-control']).toBe('no-store, no-transform')
    expect(viewer.headers['content-encoding']).toBeUndefined()
  }
})

test('asks the database once in each pause for any number of viewers, and not at all without viewers', async () => {
  const { url, counts, metrics } = await createWatched()
  const viewers = await Promise.all(
    Array.from({ length: VIEWERS }, () => openPageStream(`${url}/a/live`)),
  )
  await shown(viewers, '<b>en</b>\n0')
  const [before, beganAtMs] = [counts.versions, performance.now()]
  await waitFor('ten more looks', () => counts.versions - before, atLeast(10))
  const pauses = (performance.now() - beganAtMs) / PAUSE_MS
  expect(counts.versions - before).toBeLessThanOrEqual(Math.ceil(pauses) + 1)
  for (const viewer of viewers) viewer.close()
  await open(metrics, 0)
  const left = counts.versions
  const [again] = [await openPageStream(`${url}/b/live`)]
  await shown([again], '<b>en</b>\n0')
  // Only the new viewer has caused look-ups since then.
  expect(counts.versions - left).toBeLessThanOrEqual(2)
})

test('sends no bytes when the version is new but the parts are not', async () => {
  const { url, counts, raise } = await createWatched({ heartbeatMs: 1 })
  const viewer = await openPageStream(`${url}/a/live`)
  await shown([viewer], '<b>en</b>\n0')
  await raise(0)
  await waitFor('the parts to be rendered again', () => counts.parts.get('en'), exactly(2))
  const beats = viewer.texts('beat').length
  await waitFor('heartbeats', () => viewer.texts('beat').length, atLeast(beats + 2))
  expect(viewer.texts('total')).toEqual(['<b>en</b>\n0'])
})

test('sends a viewer nothing that is older than its page', async () => {
  const { url, raise } = await createWatched({ pauseMs: 300 })
  const first = await openPageStream(`${url}/a/live`)
  await shown([first], '<b>en</b>\n0')
  await raise(1)
  const second = await openPageStream(`${url}/a/live`)
  await shown([first, second], '<b>en</b>\n1')
  expect(second.texts('total')).toEqual(['<b>en</b>\n1'])
})

test('disconnects a viewer who reads nothing, and no other viewer', async () => {
  let text = ''
  const { source, watch } = createCountedSource(() => ({ total: text }))
  const world = await createLiveWorld(source, { pauseMs: 5, maxQueuedBytes: 20_000 })
  const creator = await createUser(world.ctx)
  const account = `0x${'ab'.repeat(20)}`
  const campaignId = await createTestCampaign(world.ctx, { creator, account, target: '100' })
  watch(campaignId)
  const slow = await openPageStream(`${world.url}/a/live`)
  const quick = await openPageStream(`${world.url}/a/live`)
  await open(world.metrics, 2)
  slow.pause()
  let round = 0
  await waitFor(
    'the slow viewer to be cut',
    async () => {
      text = `${round++}${'x'.repeat(500_000)}`
      await moveTotal(world.ctx, campaignId)
      await waitFor(
        'the update to arrive',
        () => quick.texts('total').at(-1)?.length,
        (length) => length === text.length && quick.texts('total').at(-1) === text,
      )
      return world.metrics.value('fundproof_page_streams_open', {})
    },
    (count) => count === 1,
  )
  expect(quick.ended()).toBeUndefined()
})

test('limits the streams of a network and of the process, and frees the place of a closed stream', async () => {
  const { url, metrics } = await createWatched({ maxPerAddress: 2, maxPerProcess: 3 })
  const at = (address: string) => openPageStream(`${url}/a/live`, { 'x-forwarded-for': address })
  const [first, second] = [await at('192.0.2.1'), await at('192.0.2.1')]
  expect([first.status, second.status, (await at('192.0.2.1')).status]).toEqual([200, 200, 429])
  expect((await at('192.0.2.2')).status).toBe(200)
  expect((await at('192.0.2.3')).status).toBe(503)
  first.close()
  await open(metrics, 2)
  expect((await at('192.0.2.1')).status).toBe(200)
})

test('ends all streams when the process stops, and opens no further one', async () => {
  const { url, live, metrics } = await createWatched()
  const viewers = await Promise.all([1, 2].map(() => openPageStream(`${url}/a/live`)))
  await shown(viewers, '<b>en</b>\n0')
  live.stop()
  for (const viewer of viewers) {
    expect(await ended(viewer)).toBe('closed')
    expect(viewer.comments).toEqual(['stopping'])
  }
  await open(metrics, 0)
  expect((await openPageStream(`${url}/a/live`)).status).toBe(503)
})

test('goes on after an error, without heartbeats meanwhile', async () => {
  let looks = 0
  let isBroken = false
  const world = await createLiveWorld(
    {
      version: async () => {
        looks++
        if (isBroken) throw new Error('the database does not answer')
        return 'always'
      },
      parts: async () => ({ total: '1' }),
    },
    { pauseMs: 10, heartbeatMs: 1 },
  )
  const viewer = await openPageStream(`${world.url}/a/live`)
  const lookOn = async (times: number) => {
    const until = looks + times
    await waitFor('further looks', () => looks, atLeast(until))
  }
  await shown([viewer], '1')
  isBroken = true
  await lookOn(2)
  const beats = viewer.texts('beat').length
  await lookOn(5)
  expect(viewer.texts('beat').length).toBe(beats)
  isBroken = false
  await waitFor('heartbeats again', () => viewer.texts('beat').length, atLeast(beats + 2))
  expect(viewer.ended()).toBeUndefined()
})

test('ends when there is nothing to show any more', async () => {
  let isGone = false
  const world = await createLiveWorld(
    {
      version: async () => String(isGone),
      parts: async () => {
        if (isGone) throw new DomainError('not_found', 'There is no such campaign.')
        return { total: '1' }
      },
    },
    { pauseMs: 10 },
  )
  const viewers = await Promise.all([1, 2].map(() => openPageStream(`${world.url}/a/live`)))
  await shown(viewers, '1')
  isGone = true
  for (const viewer of viewers) {
    expect(await ended(viewer)).toBe('closed')
    expect(viewer.comments).toEqual(['There is no such campaign.'])
  }
})
