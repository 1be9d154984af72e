import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import { createWorld } from '../integration/webhooks/support/world.ts'
import { storedDeliveries } from '../support/deliveries.ts'
import { isFull } from '../support/full.ts'
import { listen } from '../support/listen.ts'
import { PROCESS_ENV } from '../support/program.ts'
import { waitFor } from '../support/wait-for.ts'

const SCRIPT = join(import.meta.dirname, '../integration/webhooks/support/killable-worker.ts')
const KILLS = isFull ? 100 : 16
const ENDPOINTS = 10
const EVENTS_PER_KILL = 10
/** The number of processes that are started in advance. */
const SPARES = 2
const ANSWER_MS = 60

type Seen = {
  deliveries: Map<string, number>
  refused: string[]
  /** The number of requests that were cut off before their answer. */
  cutOff: number
  onDelivery: () => void
  onAnswer: () => void
}

/**
 * A receiver that verifies every signature. It answers after some milliseconds, so a kill often
 * interrupts a request.
 */
const startChecker = async (): Promise<{ url: string; seen: Seen; secrets: string[] }> => {
  const seen: Seen = {
    deliveries: new Map(),
    refused: [],
    cutOff: 0,
    onDelivery: () => {},
    onAnswer: () => {},
  }
  const secrets: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const secret = secrets[Number(request.url?.slice(1))] ?? ''
      const body = Buffer.concat(chunks).toString('utf8')
      try {
        new Webhook(secret).verify(body, request.headers as Record<string, string>)
        const key = `${request.url} ${request.headers['webhook-id']}`
        seen.deliveries.set(key, (seen.deliveries.get(key) ?? 0) + 1)
        seen.onDelivery()
      } catch (error) {
        seen.refused.push(String(error))
      }
      const timer = setTimeout(() => response.writeHead(204).end(), Math.random() * ANSWER_MS)
      response.once('close', () => {
        if (response.writableFinished) seen.onAnswer()
        else seen.cutOff++
        clearTimeout(timer)
      })
    })
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  return { url, seen, secrets }
}

test('loses nothing and signs everything well while a worker is killed again and again', async () => {
  const world = await createWorld()
  onTestFinished(() => world.close())
  const { url, seen, secrets } = await startChecker()
  const userId = await world.addUser()
  for (let index = 0; index < ENDPOINTS; index++) {
    secrets.push((await world.addEndpoint(userId, `${url}/${index}`)).secret)
  }

  const spares: { child: ChildProcess; ready: Promise<unknown> }[] = []
  const children = new Set<ChildProcess>()
  onTestFinished(async () => {
    await Promise.all([...children].map(end))
  })
  const prepare = (): void => {
    const options = { execArgv: [], silent: true, env: PROCESS_ENV }
    const child = fork(SCRIPT, [world.database.url], options)
    children.add(child)
    spares.push({ child, ready: once(child, 'message') })
  }
  const begin = async (): Promise<ChildProcess> => {
    prepare()
    const spare = spares.shift()
    if (!spare) throw new Error('no worker was prepared')
    await spare.ready
    spare.child.send('begin')
    return spare.child
  }
  const end = async (child: ChildProcess): Promise<void> => {
    children.delete(child)
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    expect((await exited)[1]).toBe('SIGKILL')
  }
  for (let index = 0; index < SPARES; index++) prepare()

  const counted = (by: 'onDelivery' | 'onAnswer'): Promise<void> => {
    let left = 1 + Math.floor(Math.random() * ENDPOINTS * EVENTS_PER_KILL * 0.7)
    return new Promise((resolve) => {
      seen[by] = () => {
        if (--left === 0) resolve()
      }
    })
  }
  const recorded = async () =>
    (await storedDeliveries(world.sql)).filter(({ status }) => status === 'delivered').length
  const moreRecorded = (before: number) =>
    waitFor('some to be recorded', recorded, (count) => count > before)

  for (let kills = 0; kills < KILLS; kills++) {
    // Kills in the middle of a round: after a random number of deliveries or answers, or after some
    // are recorded.
    const by = (['onDelivery', 'onAnswer', 'onDelivery', 'recorded'] as const)[kills % 4]
    const middle = by === 'recorded' ? moreRecorded(await recorded()) : counted(by ?? 'onDelivery')
    const [worker] = await Promise.all([begin(), world.emitEvents(userId, EVENTS_PER_KILL)])
    await middle
    seen.onDelivery = seen.onAnswer = () => {}
    await end(worker)
  }
  await begin()

  const wanted = KILLS * EVENTS_PER_KILL * ENDPOINTS
  await waitFor(
    'every delivery',
    () => seen.deliveries.size,
    (count) => count >= wanted,
  )
  expect(seen.deliveries.size).toBe(wanted)
  expect(seen.refused).toEqual([])
  // Many kills interrupted a request. The few kills of a fast run may come too late on a busy
  // machine.
  if (isFull) expect(seen.cutOff).toBeGreaterThan(KILLS)
  await waitFor(
    'every delivery to be recorded',
    async () => (await storedDeliveries(world.sql)).filter(({ status }) => status === 'delivered'),
    (delivered) => delivered.length >= wanted,
  )
  const stored = await storedDeliveries(world.sql)
  expect(stored).toHaveLength(wanted)
  expect(new Set(stored.map((one) => `${one.eventId} ${one.endpointId}`)).size).toBe(wanted)
  const sent = [...seen.deliveries.values()].reduce((sum, count) => sum + count, 0)
  expect(sent).toBeLessThan(3 * wanted)
}, 600_000)
