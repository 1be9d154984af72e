import { createHmac, createSecretKey } from 'node:crypto'
import { Agent, request } from 'undici'

/**
 * The upper limit of the delivery rate: a loop over undici that signs the same bodies and sends
 * them to the same receivers, with the same number in flight. It uses no database, checks no
 * addresses and writes no log.
 */
export type CeilingJob = {
  targets: readonly { origin: string; path: string; secret: string }[]
  events: readonly { id: string; body: string }[]
  concurrency: number
}

export type CeilingResult = { sent: number; failed: number }

const agent = new Agent({ pipelining: 1 })

/** Sends every event to every target as fast as the receivers answer. */
const run = async ({ targets, events, concurrency }: CeilingJob): Promise<CeilingResult> => {
  const ends = targets.map(({ origin, path, secret }) => ({
    url: `${origin}${path}`,
    key: createSecretKey(Buffer.from(secret.slice('whsec_'.length), 'base64')),
  }))
  const work = events.flatMap((event) => ends.map((end) => ({ event, end })))
  let next = 0
  let failed = 0
  const lane = async (): Promise<void> => {
    for (let one = work[next++]; one; one = work[next++]) {
      const { event, end } = one
      const at = String(Math.floor(Date.now() / 1_000))
      const mac = createHmac('sha256', end.key).update(`${event.id}.${at}.${event.body}`)
      const answer = await request(end.url, {
        dispatcher: agent,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'webhook-id': event.id,
          'webhook-timestamp': at,
          'webhook-signature': `v1,${mac.digest('base64')}`,
        },
        body: event.body,
      })
      await answer.body.dump()
      if (answer.statusCode !== 204) failed++
    }
  }
  await Promise.all(Array.from({ length: concurrency }, lane))
  return { sent: work.length, failed }
}

if (import.meta.main) {
  process.on('disconnect', () => process.exit(0))
  // throughput.ts sends the job.
  process.on('message', (job: CeilingJob) => {
    void run(job).then((result) => process.send?.(result))
  })
}
