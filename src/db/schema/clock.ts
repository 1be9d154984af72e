import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from '../columns.ts'

/** One row about the database: the newest trusted time of its clock, so that a jump shows. */
export const databaseClock = pgTable('database_clock', {
  id: integer('id').primaryKey(),
  trustedAt: moment('trusted_at').notNull(),
  /** ENVIRONMENT of the first process, so that none of another environment starts. */
  environment: text('environment'),
})
