import { loadConfig } from '../config/config.ts'
import { migrate } from '../db/migrate.ts'
import { messageOf, StartError } from '../kernel/errors.ts'
import { readRuntime } from '../local/runtime.ts'
import { migrateQueue } from '../queue/index.ts'

const USAGE = 'Usage: npm run migrate. It takes no options: DATABASE_URL names the database.'

/** `npm run migrate`: migrates the database at DATABASE_URL, or the running embedded database. */
try {
  if (process.argv.length > 2) throw new StartError(USAGE)
  const config = loadConfig()
  const databaseUrl = config.databaseUrl ?? readRuntime(config.dataDir)?.databaseUrl
  if (!databaseUrl) throw new StartError('Set DATABASE_URL, or start Fundproof with `npm start`.')
  await migrate(databaseUrl)
  await migrateQueue(databaseUrl)
  console.log('The database has the schema of this version.')
} catch (error) {
  console.error(messageOf(error))
  process.exitCode = 1
}
