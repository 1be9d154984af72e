import { setTimeout as delay } from 'node:timers/promises'
import { createWorker, type Worker } from '../../worker/create-worker.ts'
import type { Config } from '../config/config.ts'
import { migrate } from '../db/migrate.ts'
import { createLog } from '../kernel/ports/log.ts'
import { removeRuntime, writeRuntime } from '../local/runtime.ts'
import { startLocal } from '../local/start-local.ts'
import { migrateQueue } from '../queue/index.ts'
import { banner } from './banner.ts'
import { type Base, openBase, publicUrlOf } from './base.ts'
import { type Api, createApi } from './create-api.ts'
import { seed } from './seed/seed.ts'
import { runUntilStopped } from './shutdown.ts'

/** If the nodes of the chains give no proof in this time, no example campaign is made. */
const PROOF_MS = 15_000

/** Prices of the development chain's assets, used if neither CHAINS nor PRICES is set. */
const DEV_PRICES = { 'ETH/USDC': '2500', 'ETH/USD': '2500', 'USDC/USD': '1' }

/**
 * `npm start`: runs the API and the worker in one process. Starts an embedded database if no
 * database is configured, and an embedded chain if no chain is configured.
 */
await runUntilStopped('all', async (run) => {
  const config = withDevPrices(run.config)
  const local = await startLocal(config, createLog(config.logLevel, 'local'), run.fail)
  let base: Base | undefined
  let api: Api | undefined
  let worker: Worker | undefined
  const stop = async () => {
    removeRuntime(config.dataDir)
    await Promise.all([api?.stop(), worker?.stop()])
    await base?.stop()
    await local.stop()
  }
  try {
    const databaseUrl = config.databaseDirectUrl ?? local.databaseUrl
    await migrate(databaseUrl)
    await migrateQueue(databaseUrl)
    base = await openBase(config, local, 'all')
    api = await createApi(base)
    const port = await api.start()
    worker = createWorker(base)
    await base.queue.start()
    worker.start()
    const apiUrl = `http://${config.host === '0.0.0.0' ? 'localhost' : config.host}:${port}`
    noteRuntime(base, apiUrl)
    const embedded = config.databaseUrl === undefined && config.environment === 'sandbox'
    const proofs = [worker.proven, delay(embedded ? PROOF_MS : 0, 'late', { ref: false })]
    const seeds = (await Promise.race(proofs)) !== 'late' && embedded
    if (seeds) await base.refreshAssets()
    const campaign = seeds ? await seed(base) : undefined
    console.log(
      banner({
        publicUrl: publicUrlOf(config, port),
        chain: local.chains[0],
        dataDir: config.dataDir,
        campaign,
        devChain: config.chains === undefined,
      }),
    )
    return stop
  } catch (error) {
    await stop()
    throw error
  }
})

/** Saves URLs for other commands, but not in production, because URLs may contain passwords. */
function noteRuntime({ config, places, log }: Base, apiUrl: string): void {
  if (config.environment === 'production') return
  const { databaseUrl, chains } = places
  const pid = writeRuntime(config.dataDir, { databaseUrl, chains, apiUrl })
  if (pid === process.pid) return
  log.warn({ pid }, 'another instance runs on DATA_DIR: commands such as the demo use it')
}

function withDevPrices(config: Config): Config {
  const unset = config.chains === undefined && Object.keys(config.prices).length === 0
  return unset ? { ...config, prices: DEV_PRICES } : config
}
