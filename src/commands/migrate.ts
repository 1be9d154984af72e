import { loadConfig } from '../config/config.ts'
import { migrate } from '../db/migrate.ts'
import { messageOf, StartError } from '../kernel/errors.ts'
import { readRuntime } from '../local/runtime.ts'
import { migrateQueue } from '../queue/index.ts'

const USAGE = 'Usage: npm run migrate. It takes no options: DATABASE_URL names the database.'

/**
 * `npm run migrate`: migrates the database at DATABASE_URL, or the running embedded database.
 * Returns the exit code.
 */
export const run = async (words: readonly string[], env?: NodeJS.ProcessEnv): Promise<number> => {
  try {
    if (words.length > 0) throw new StartError(USAGE)
    const config = loadConfig(env)
    const databaseUrl = config.databaseUrl ?? readRuntime(config.dataDir)?.databaseUrl
    if (!databaseUrl) throw new StartError('Set DATABASE_URL, or start Fundproof with `npm start`.')
    await migrate(databaseUrl)
    await migrateQueue(databaseUrl)
    console.log('The database has the schema of this version.')
    return 0
  } catch (error) {
    console.error(messageOf(error))
    return 1
  }
}

if (import.meta.main) process.exitCode = await run(process.argv.slice(2))
