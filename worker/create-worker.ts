import { createChainClient } from '../src/chain/index.ts'
import type { Base } from '../src/commands/base.ts'
import type { ChainConfig } from '../src/config/config.ts'
import { createDatabase } from '../src/db/client.ts'
import { addressPolicy } from '../src/domain/events/index.ts'
import { createCollectors } from '../src/domain/service/index.ts'
import type { Sample } from '../src/kernel/ports/metrics.ts'
import {
  createPrintedTransport,
  createSmtpTransport,
  type MailTransport,
} from '../src/mail/index.ts'
import { createDeliverer } from '../src/webhooks/index.ts'
import { createCommittee } from './chain/committee.ts'
import type { ChainSync } from './chain/sync-chain.ts'
import { createWatchCache } from './chain/watch-cache.ts'
import { createDeliverWebhooksJob } from './delivery/deliver-webhooks.ts'
import { createCheckBalancesJob } from './jobs/check-balances.ts'
import { createCheckDonationsJob } from './jobs/check-donations.ts'
import { createFollowCommitteeJob } from './jobs/follow-committee.ts'
import { createAnnounceDepositsJob, createRemindOfReleasesJob } from './jobs/notices.ts'
import { createProveChainJob } from './jobs/prove-chain.ts'
import { createReadPricesJob } from './jobs/read-prices.ts'
import { createReconcileJob } from './jobs/reconcile.ts'
import { createSealLedgerJob } from './jobs/seal-ledger.ts'
import { createSendMailJob } from './jobs/send-mail.ts'
import { createStoreProofsJob } from './jobs/store-proofs.ts'
import { createSyncChainJob } from './jobs/sync-chain.ts'
import { createClampDueTimesJob, createPruneJob } from './jobs/upkeep.ts'
import { createWatchProgressJob } from './jobs/watch-progress.ts'
import type { Job } from './loop.ts'

/** `proven` resolves when all chains are proven and their assets are stored. */
export type Worker = { start(): void; stop(): Promise<void>; proven: Promise<unknown> }

/** The shortest lease of a chain. Longer than a usual pass, but short enough after a crash. */
const SHORTEST_LEASE_MS = 5_000

/** Creates all jobs and connects them with their wake-ups. The caller starts them later. */
export const createWorker = (base: Base): Worker => {
  const ctx = base.systemContext
  const statistics = openStatistics(base)
  const syncs = base.places.chains.map((chain) => createChainSync(base, chain))
  const everyMs = base.config.reconcileEveryMs
  const deliverer = createDeliverer({ policy: addressPolicy(base.settings), clock: ctx.clock })
  const deliveries = createDeliverWebhooksJob(ctx, deliverer)
  const mail = createSendMailJob(ctx, mailTransport(base))
  const chains = syncs.map((sync) => ({
    proof: createProveChainJob(sync),
    check: createCheckDonationsJob(sync),
    jobs: [
      createSyncChainJob(sync),
      ...(everyMs > 0 ? [createReconcileJob(sync, { everyMs })] : []),
      createReadPricesJob(sync),
      createCheckBalancesJob(sync),
      createStoreProofsJob(sync),
      ...(sync.committee ? [createFollowCommitteeJob(sync, sync.committee)] : []),
    ],
  }))
  const jobs: Job[] = [
    ...chains.map(({ proof }) => proof),
    ...chains.flatMap(({ proof, check, jobs }) => [check, ...jobs].map(startingAfter(proof))),
    createWatchProgressJob(ctx, base.places.chains),
    createSealLedgerJob(ctx, base.config.dataDir),
    createAnnounceDepositsJob(ctx),
    createRemindOfReleasesJob(ctx),
    createClampDueTimesJob(ctx),
    deliveries,
    mail,
    createPruneJob(ctx),
  ]
  base.queue.onWake('donations', () => {
    for (const { check } of chains) check.wake()
  })
  base.queue.onWake('events', () => deliveries.wakeEvents())
  base.queue.onWake('deliveries', () => deliveries.wakeDeliveries())
  base.queue.onWake('mail', () => mail.wake())
  let stopped: Promise<void> | undefined
  const stopJobs = async (): Promise<void> => {
    const stopped = Promise.all(jobs.map((job) => job.stop()))
    // Closing the clients aborts passes that wait for a node. An aborted pass loses no data.
    await Promise.all(
      syncs.flatMap(({ client, committee }) => [client.close(), committee?.close()]),
    )
    await stopped
    await deliverer.close()
    await statistics.close()
  }
  const stop = (): Promise<void> => {
    stopped ??= stopJobs()
    return stopped
  }
  // If a newer version migrates the database, this worker stops.
  base.schema.onNewer(() => Promise.all([stop(), base.queue.stop()]))
  return {
    start() {
      for (const job of jobs) job.start()
    },
    stop,
    proven: Promise.all(chains.map(({ proof }) => proof.proven)),
  }
}

const startingAfter =
  ({ proven }: { proven: Promise<void> }) =>
  (job: Job): Job => ({ ...job, start: () => void proven.then(job.start) })

/** The time limit of a statistics query, so that the query ends before Prometheus gives up. */
const STATISTICS_TIMEOUT_MS = 900

/** If a metrics port is set, adds metrics from the database. Uses separate connections. */
const openStatistics = ({
  config,
  database,
  queue,
  systemContext,
}: Base): { close(): Promise<void> } => {
  if (config.metricsPort === undefined) return { close: async () => {} }
  const sql = createDatabase({
    ...database,
    max: 2,
    name: 'fundproof statistics',
    // The app role cannot see what other connections do.
    asAppRole: false,
    statementTimeoutMs: STATISTICS_TIMEOUT_MS,
  })
  const { metrics } = systemContext
  for (const collector of createCollectors({ ...systemContext, sql, pool: sql })) {
    metrics.collect(collector)
  }
  metrics.collect({
    name: 'queue',
    read: async () =>
      [...(await queue.waiting())].map(
        ([topic, count]): Sample => ['fundproof_queue_waiting', { topic }, count],
      ),
  })
  return { close: () => sql.end({ timeout: 1 }) }
}

const createChainSync = (base: Base, chain: ChainConfig): ChainSync => {
  const ctx = { ...base.systemContext, log: base.log.child({ chainId: chain.id }) }
  return {
    ctx,
    chain,
    // Passes `base.log`, because the client adds the chain id itself.
    client: createChainClient({ chain, log: base.log, metrics: base.systemContext.metrics }),
    // The health of a feed adds the chain id itself.
    committee: createCommittee({ ...ctx, log: base.log }, chain, {
      isEmbedded: base.config.chains === undefined,
    }),
    watch: createWatchCache(chain),
    owner: base.instanceId,
    leaseMs: Math.max(SHORTEST_LEASE_MS, chain.pollIntervalMs * 3),
  }
}

const mailTransport = ({ config }: Base): MailTransport =>
  config.smtpUrl === undefined
    ? createPrintedTransport((block) => process.stdout.write(block))
    : createSmtpTransport({ url: config.smtpUrl, from: config.mailFrom })
