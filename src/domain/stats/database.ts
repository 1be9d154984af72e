import type { Database } from '../../db/client.ts'
import type { Collector } from '../../kernel/metrics.ts'

/** Whether and how fast the database answers through this process's pool. */
export const createDatabaseCollector = (pool: Database): Collector => ({
  name: 'database',
  gauges: ['fundproof_database_answer_seconds'],
  async read() {
    const start = performance.now()
    await pool`select 1`
    return [['fundproof_database_answer_seconds', {}, (performance.now() - start) / 1_000]]
  },
})
