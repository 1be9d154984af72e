import { createWorker } from '../worker/create-worker.ts'
import { banner } from './banner.ts'
import { openBase } from './base.ts'
import { type Config, loadConfig } from './config.ts'
import { createApi } from './create-api.ts'
import { migrate } from './db/migrate.ts'
import { createLog } from './kernel/log.ts'
import { removeRuntime, writeRuntime } from './local/runtime.ts'
import { startLocal } from './local/start-local.ts'
import { migrateQueue } from './queue/index.ts'
import { seed } from './seed.ts'
import { runUntilStopped } from './shutdown.ts'

/** What the development chain's assets are taken to be worth, unless PRICES says otherwise. */
const DEV_PRICES = { 'ETH/USDC': '2500', 'ETH/USD': '2500', 'USDC/USD': '1' }

/** `npm start`: both halves in one process, with an embedded part for each that is not configured. */
await runUntilStopped(async (fail) => {
  const config = withDevPrices(loadConfig())
  const local = await startLocal(config, createLog(config.logLevel, 'local'), (part, reason) =>
    fail(`${part} has ended: ${reason}`),
  )
  const undo: (() => Promise<unknown>)[] = [() => local.stop()]
  const stop = async () => {
    for (const step of undo.reverse()) await step()
  }
  try {
    await migrate(local.databaseUrl)
    await migrateQueue(local.databaseUrl)
    const base = await openBase(config, local, 'all')
    undo.push(() => base.stop())
    const api = await createApi(base)
    const worker = createWorker(base)
    const port = await api.start()
    undo.push(() => api.stop())
    await base.queue.start()
    worker.start()
    undo.push(() => worker.stop())
    const apiUrl = `http://${config.host === '0.0.0.0' ? 'localhost' : config.host}:${port}`
    writeRuntime(config.dataDir, { databaseUrl: local.databaseUrl, chains: local.chains, apiUrl })
    undo.push(async () => removeRuntime(config.dataDir))
    const embedded = config.databaseUrl === undefined && config.environment === 'sandbox'
    const campaign = embedded ? await seed(base) : undefined
    console.log(
      banner({
        apiUrl,
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

function withDevPrices(config: Config): Config {
  const unset = config.chains === undefined && Object.keys(config.prices).length === 0
  return unset ? { ...config, prices: DEV_PRICES } : config
}
