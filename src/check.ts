import { existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { loadConfig } from './config.ts'
import { createDatabase } from './db/client.ts'
import { assertSchema } from './db/migrate.ts'
import { checkLedger } from './domain/ledger/index.ts'
import { countOpenDifferences } from './domain/reconciliation/index.ts'
import { checkSeals, parseRememberedHeads } from './domain/seal/index.ts'
import { messageOf, StartError } from './kernel/errors.ts'
import { readRuntime } from './local/runtime.ts'

/**
 * `npm run check`: recomputes every total from the ledger, and every seal from its entries, compares
 * donations, transfers, campaigns and milestones with them, and names what differs. `--head <file or
 * campaign:seq:head>`, any number of them, are heads that were kept outside, against which it shows
 * what was cut off. Exits 0 where everything adds up, 1 where something does not, 2 where it could
 * not be checked.
 */
const main = async (): Promise<number> => {
  const remembered = rememberedHeads()
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
    const { campaigns, entries, differences: totals } = await checkLedger(sql)
    const seals = await checkSeals(sql, remembered)
    const differences = [...totals, ...seals.differences]
    for (const { what, id, stored, recomputed } of differences) {
      console.log(`${what} ${id}: stored ${stored}, recomputed ${recomputed}`)
    }
    const found =
      differences.length === 0
        ? 'every total and every seal agrees'
        : `${differences.length} differ`
    console.log(
      `${campaigns} campaigns, ${entries} ledger entries, ${seals.unsealed} of them not sealed yet: ${found}.`,
    )
    const open = await countOpenDifferences(sql)
    if (open > 0) {
      console.log(
        `${open} open differences between chain and ledger: see /api/reconciliation/differences.`,
      )
    }
    console.log(
      'This compares the database with itself. Only the chain knows who paid what, and when: npm run reconcile compares that.',
    )
    return differences.length === 0 ? 0 : 1
  } finally {
    await sql.end({ timeout: 1 })
  }
}

const rememberedHeads = () => {
  const { values } = parseArgs({ options: { head: { type: 'string', multiple: true } } })
  return (values.head ?? []).flatMap((head) =>
    parseRememberedHeads(existsSync(head) ? readFileSync(head, 'utf8') : head),
  )
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(messageOf(error))
  process.exitCode = 2
}
