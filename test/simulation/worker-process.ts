import { mkdtempSync, rmSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createChainClient } from '../../src/chain/index.ts'
import { ChainConfig } from '../../src/config/config.ts'
import { createDatabase } from '../../src/db/client.ts'
import { messageOf } from '../../src/kernel/errors.ts'
import { newId } from '../../src/kernel/formats/ids.ts'
import { createCommittee } from '../../worker/chain/committee.ts'
import type { ChainSync } from '../../worker/chain/sync-chain.ts'
import { createWatchCache } from '../../worker/chain/watch-cache.ts'
import { armCrashPoint } from '../../worker/crash-points.ts'
import { createCheckBalancesJob } from '../../worker/jobs/check-balances.ts'
import { createCheckDonationsJob } from '../../worker/jobs/check-donations.ts'
import { createFollowCommitteeJob } from '../../worker/jobs/follow-committee.ts'
import { createAnnounceDepositsJob } from '../../worker/jobs/notices.ts'
import { createReadPricesJob } from '../../worker/jobs/read-prices.ts'
import { createReconcileJob } from '../../worker/jobs/reconcile.ts'
import { createSealLedgerJob } from '../../worker/jobs/seal-ledger.ts'
import { createStoreProofsJob } from '../../worker/jobs/store-proofs.ts'
import { createSyncChainJob } from '../../worker/jobs/sync-chain.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { createContext } from '../support/world.ts'
import { CHAIN, PRICES } from './chain.ts'
import type { Order, Reply, WorkerPlaces } from './worker.ts'

/**
 * Runs the jobs of a worker for one chain, one pass per order, with the clock of the parent
 * process.
 */
const places = JSON.parse(process.argv[2] ?? '{}') as WorkerPlaces
const clock = createFakeClock()
const { ctx } = await createContext(createDatabase({ url: places.databaseUrl, max: 4 }), {
  clock,
  chains: [CHAIN],
  prices: PRICES,
})
const chain = ChainConfig.parse({
  ...CHAIN,
  name: 'simulated',
  rpc: places.rpcUrls,
  ...places.committee,
  startBlock: 0,
})
const committee = createCommittee(ctx, chain)
const sync: ChainSync = {
  ctx,
  chain,
  client: createChainClient({ chain, log: ctx.log, timeoutMs: 1_500, backoffMs: 5 }),
  committee,
  watch: createWatchCache(chain),
  owner: newId(),
  leaseMs: 5_000,
}
/** The folder for the newest signed head. */
const folder = mkdtempSync(join(tmpdir(), 'fundproof-simulation-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const jobs = [
  ...(committee ? [createFollowCommitteeJob(sync, committee)] : []),
  createSyncChainJob(sync),
  createCheckDonationsJob(sync),
  createReadPricesJob(sync),
  createCheckBalancesJob(sync, 1),
  createReconcileJob(sync, { everyMs: 1 }),
  createStoreProofsJob(sync),
  createSealLedgerJob(ctx, folder),
  createAnnounceDepositsJob(ctx),
]

// A killed process does not write its compile cache, so it is written here.
flushCompileCache()
process.on('disconnect', () => process.exit(0))
process.on('message', async (order: Order) => {
  clock.set(new Date(order.nowMs))
  armCrashPoint(order.crashAt ?? undefined)
  const reply: Reply = { id: order.id, problems: [] }
  for (const job of jobs) {
    try {
      await job.run()
    } catch (error) {
      reply.problems.push(`${job.name}: ${messageOf(error)}`)
    }
  }
  process.send?.(reply)
})
