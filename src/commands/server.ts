import { configuredPlaces, openBase } from '../base.ts'
import { createApi } from '../create-api.ts'
import { runUntilStopped } from '../shutdown.ts'

/** `npm run api`: runs the API without a worker. Several API processes may share one database. */
await runUntilStopped('api', async ({ config }) => {
  const base = await openBase(config, configuredPlaces(config), 'api')
  try {
    const api = await createApi(base)
    await base.queue.start()
    const port = await api.start()
    base.log.info({ host: config.host, port, environment: config.environment }, 'listening')
    return async () => {
      await api.stop()
      await base.stop()
    }
  } catch (error) {
    await base.stop()
    throw error
  }
})
