import { PgBoss } from 'pg-boss'
import { configForPg } from '../db/connect.ts'
import { messageOf, StartError } from '../kernel/errors.ts'
import { QUEUE_OPTIONS, QUEUE_SCHEMA, queueOf, TOPICS } from './topics.ts'

/**
 * Creates or updates the tables of pg-boss, a job queue in PostgreSQL, and a queue for each topic.
 * Connects as the database's owner. Concurrent calls are safe, because pg-boss takes a lock.
 *
 * @throws StartError if pg-boss cannot connect or cannot change its tables
 */
export const migrateQueue = async (databaseUrl: string): Promise<void> => {
  const boss = new PgBoss({
    ...configForPg({ url: databaseUrl }),
    application_name: 'fundproof-migrate',
    schema: QUEUE_SCHEMA,
    max: 1,
    migrate: true,
    supervise: false,
    schedule: false,
  })
  let failure: unknown
  boss.on('error', (error) => {
    failure ??= error
  })
  try {
    await boss.start()
    for (const topic of TOPICS) {
      const { policy, ...changeable } = QUEUE_OPTIONS
      await boss.createQueue(queueOf(topic), { policy, ...changeable })
      await boss.updateQueue(queueOf(topic), changeable)
    }
  } catch (error) {
    throw new StartError(`The queue could not be migrated: ${messageOf(failure ?? error)}.`)
  } finally {
    await boss.stop({ graceful: false })
  }
}
