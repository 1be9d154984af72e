import type { Context } from '../../src/db/context.ts'
import { withTransaction } from '../../src/db/transaction.ts'
import { createEndpoint, MAX_ENDPOINTS } from '../../src/domain/events/index.ts'
import { newId } from '../../src/kernel/formats/ids.ts'
import { createLog } from '../../src/kernel/ports/log.ts'
import { emit } from '../../src/outbox/emit.ts'
import { createQueue } from '../../src/queue/index.ts'
import { type Folder, nodeArgsOf, startWorker } from '../record/services.ts'
import type { Anvil } from '../settle/anvil.ts'
import type { Cleanup } from '../support/cleanup.ts'
import { type NodeProcess, startNode } from '../support/node-process.ts'
import type { BenchServer } from '../support/server.ts'
import { createDonor, openWorld } from '../support/world.ts'
import type { Behaviour, ReceiversJob } from './receivers.ts'

export type Target = { origin: string; path: string; secret: string }
export type Emitted = { id: string; body: string }

/** A database with endpoints, a real worker, and a function that emits events to all endpoints. */
export type Site = {
  ctx: Context
  databaseUrl: string
  worker: NodeProcess
  targets: Target[]
  /** Writes events in one transaction, and wakes the worker after the commit. */
  emit(count: number): Promise<Emitted[]>
  close(): Promise<void>
}

export type SiteOptions = { server: BenchServer; cleanup: Cleanup; anvil: Anvil }

const PATH = '/hooks'

/** Starts the process of the receivers, which answers one message at a time. */
export const startReceivers = (server: Folder, cleanup: Cleanup): NodeProcess =>
  startTalking(server, cleanup, 'bench/deliver/receivers.ts')

/**
 * Starts the bare loop or the receivers with the options of the worker's Node, so that only our
 * code makes a difference.
 */
export const startTalking = (server: Folder, cleanup: Cleanup, script: string): NodeProcess =>
  startNode(server, cleanup, { script, nodeArgs: nodeArgsOf('worker/main.ts'), talks: true })

export const openReceivers = async (
  receivers: NodeProcess,
  behaviours: readonly Behaviour[],
): Promise<string[]> => {
  const job: ReceiversJob = { kind: 'open', behaviours }
  const ports = (await receivers.ask(job)) as number[]
  return ports.map((port) => `http://127.0.0.1:${port}`)
}

export const openSite = async (
  { server, cleanup, anvil }: SiteOptions,
  origins: readonly string[],
): Promise<Site> => {
  const database = await server.createDatabase()
  const world = await openWorld(database.url)
  cleanup.add(() => world.close())
  const log = createLog('warn', 'bench')
  const queue = createQueue({ databaseUrl: database.url, log, role: 'api' })
  await queue.start()
  cleanup.add(() => queue.stop())
  const ctx: Context = { ...world.ctx, wake: (topic) => queue.wake(topic) }
  const owners = await Promise.all(
    Array.from({ length: Math.ceil(origins.length / MAX_ENDPOINTS) }, () => createDonor(ctx)),
  )
  const targets: Target[] = []
  for (const [index, origin] of origins.entries()) {
    const actor = owners[Math.floor(index / MAX_ENDPOINTS)] ?? ctx.actor
    const { secret } = await createEndpoint(
      { ...ctx, actor },
      { url: `${origin}${PATH}`, events: ['donation.completed'] },
    )
    targets.push({ origin, path: PATH, secret: secret ?? '' })
  }
  const audience = owners.map(({ userId }) => userId)
  const worker = startWorker(server, cleanup, database.url, anvil.url)
  return {
    ctx,
    databaseUrl: database.url,
    worker,
    targets,
    emit: (count) => emitDonations(ctx, audience, count),
    async close() {
      worker.assertRunning()
      await worker.stop()
      await queue.stop()
      await world.close()
      await database.drop()
    },
  }
}

const emitDonations = (context: Context, audience: string[], count: number): Promise<Emitted[]> => {
  const campaignId = newId()
  const requestId = newId()
  const events = Array.from({ length: count }, (_, index) => ({
    type: 'donation.completed' as const,
    audience,
    campaignId,
    requestId,
    data: donationOf(campaignId, audience[0] ?? '', index),
  }))
  return withTransaction(context, async (context) => {
    await emit(context, events)
    return context.sql<Emitted[]>`
      select id, body from event where campaign_id = ${campaignId} order by seq`
  })
}

const donationOf = (campaignId: string, userId: string, index: number) => ({
  donationId: newId(),
  campaignId,
  amount: { value: `${1 + (index % 500)}.25`, currency: 'USDC' },
  declaredAmount: { value: `${1 + (index % 500)}.25`, currency: 'USDC' },
  confirmedAmount: { value: `${1 + (index % 500)}.25`, currency: 'USDC' },
  creditedAmount: { value: `${1 + (index % 500)}.25`, currency: 'USDC' },
  discrepancy: false,
  status: 'completed' as const,
  transaction: {
    ledgerTxId: `0x${index.toString(16).padStart(64, '0')}`,
    timestamp: new Date().toISOString(),
  },
  userId,
  confirmations: 64,
})
