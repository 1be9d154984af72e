import { loadConfig } from './config.ts'
import { createDatabase } from './db/client.ts'
import { assertSchema } from './db/migrate.ts'
import { checkLedger } from './domain/ledger/index.ts'
import { messageOf, StartError } from './kernel/errors.ts'
import { readRuntime } from './local/runtime.ts'

/**
 * `npm run check`: recomputes every total from the ledger and names any that differs. Exits 0 where
 * everything adds up, 1 where something does not, 2 where it could not be checked.
 */
const main = async (): Promise<number> => {
  const config = loadConfig()
  const databaseUrl = config.databaseUrl ?? readRuntime(config.dataDir)?.databaseUrl
  if (!databaseUrl) throw new StartError('Set DATABASE_URL, or start Fundproof with `npm start`.')
  const sql = createDatabase({
    url: databaseUrl,
    max: 1,
    name: 'fundproof check',
    statementTimeoutMs: 0,
  })
  try {
    await assertSchema(sql)
    const { campaigns, entries, differences } = await checkLedger(sql)
    for (const { what, id, stored, recomputed } of differences) {
      console.log(`${what} ${id}: stored ${stored}, recomputed ${recomputed}`)
    }
    const found = differences.length === 0 ? 'every total agrees' : `${differences.length} differ`
    console.log(`${campaigns} campaigns, ${entries} ledger entries: ${found}.`)
    return differences.length === 0 ? 0 : 1
  } finally {
    await sql.end({ timeout: 1 })
  }
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(messageOf(error))
  process.exitCode = 2
}
