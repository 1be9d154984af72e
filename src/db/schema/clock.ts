import { integer, pgTable } from 'drizzle-orm/pg-core'
import { moment } from '../columns.ts'

/** One row: the newest trusted time of the database's clock, so that a jump shows. */
export const databaseClock = pgTable('database_clock', {
  id: integer('id').primaryKey(),
  trustedAt: moment('trusted_at').notNull(),
})
