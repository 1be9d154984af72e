import { createApi } from './create-api.ts'
import { runHalf } from './half.ts'

/** `npm run api`: runs the API without a worker. Several API processes may share one database. */
await runHalf('api', async (base) => {
  const api = await createApi(base)
  await base.queue.start()
  const port = await api.start()
  const { host, environment } = base.config
  base.log.info({ host, port, environment }, 'listening')
  return api.stop
})
