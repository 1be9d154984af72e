import { loadConfig } from '../config/config.ts'
import { migrate } from '../db/migrate.ts'
import { StartError } from '../kernel/errors.ts'
import { databaseUrlOf } from '../local/runtime.ts'
import { migrateQueue } from '../queue/index.ts'
import { command } from './command.ts'

const USAGE = 'Usage: npm run migrate. It takes no options: DATABASE_URL names the database.'

/**
 * `npm run migrate`: migrates the database at DATABASE_URL, or the running embedded database.
 * Returns the exit code.
 */
export const run = command(USAGE, 1, async (words, env) => {
  if (words.length > 0) throw new StartError(USAGE)
  const databaseUrl = databaseUrlOf(loadConfig(env))
  await migrate(databaseUrl)
  await migrateQueue(databaseUrl)
  console.log('The database has the schema of this version.')
  return 0
})

if (import.meta.main) process.exitCode = await run(process.argv.slice(2))
