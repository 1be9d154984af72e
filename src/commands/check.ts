import { existsSync } from 'node:fs'
import { type Config, loadConfig } from '../config/config.ts'
import { createDatabase, type Database } from '../db/client.ts'
import { assertSchema } from '../db/migrate.ts'
import { checkAcknowledgements, countOpenDifferences } from '../domain/blocks/index.ts'
import {
  checkLedger,
  checkSeals,
  checkSince,
  checkSlice,
  listLostHeads,
  parseRememberedHeads,
  parseSignedHead,
  type RememberedHead,
  type SignedHead,
  type SinceCheck,
} from '../domain/books/index.ts'
import type { Difference } from '../domain/shared/index.ts'
import { messageOf, StartError } from '../kernel/errors.ts'
import { databaseUrlOf } from '../local/runtime.ts'
import { command, parseOptions, readText } from './command.ts'

const USAGE = `npm run check -- [options]
  --head <head>     compares a head that was kept: a file with the answer of
                    GET /api/campaigns/<id>/ledger/head, or <campaign>:<seq>:<head>;
                    may be given several times
  --since <file>    checks only entries newer than a kept head; the last line names the rest
  --help            prints this

Recomputes every total and every seal from the ledger, and compares donations, transfers, campaigns
and milestones with it. Exits with 0 if everything agrees, 1 if something differs, 2 if it could not
check.`

type Options = { since: SignedHead | undefined; heads: RememberedHead[] }

const main = async ({ since, heads }: Options, config: Config): Promise<number> => {
  const options = { max: 1, name: 'fundproof check', statementTimeoutMs: 0 }
  const sql = createDatabase({ url: databaseUrlOf(config), ...options })
  try {
    await assertSchema(sql)
    return since ? await checkNew(sql, since, heads) : await checkAll(sql, heads)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

const checkAll = async (sql: Database, heads: readonly RememberedHead[]): Promise<number> => {
  const { campaigns, entries, differences: totals } = await checkLedger(sql)
  const seals = await checkSeals(sql, heads)
  const differences = [...totals, ...seals.differences, ...(await checkAcknowledgements(sql))]
  print(differences)
  const found =
    differences.length === 0 ? 'every total and every seal agrees' : `${differences.length} differ`
  console.log(
    `${campaigns} campaigns, ${entries} ledger entries, ${seals.unsealed} of them not sealed yet: ${found}.`,
  )
  await printOpen(sql)
  await printRestores(sql)
  console.log(
    'This compares the database with itself. To compare payments with the chain, run npm run reconcile.',
  )
  return differences.length === 0 ? 0 : 1
}

const checkNew = async (
  sql: Database,
  kept: SignedHead,
  others: readonly RememberedHead[],
): Promise<number> => {
  const checked = await checkSince(sql, { kept, others }, checkSlice)
  const { sealId, seals, sealed, unsealed, differences } = checked
  const head = `Head ${kept.seq} of campaign ${kept.campaignId}, signed by the key ${kept.keyId}`
  print(differences)
  if (sealId === null) {
    console.log(
      `${head}, is not in this ledger: the ledger was rewritten or cut off before this head, or restored from an older backup.`,
    )
    await printRestores(sql)
    console.log('Not checked: everything else.')
    return 1
  }
  const found = differences.length === 0 ? 'all agree' : `${differences.length} differ`
  console.log(`${head}, is the head of seal ${sealId} of all campaigns.`)
  console.log(
    `${seals} seals from this one on, ${sealed + unsealed} ledger entries, ${unsealed} of them not sealed yet: ${found}.`,
  )
  await printOpen(sql)
  console.log(notChecked({ ...checked, sealId }))
  return differences.length === 0 ? 0 : 1
}

const notChecked = ({ sealId, aboveEntry, isCut }: SinceCheck & { sealId: number }): string => {
  const parts = [
    ...(sealId === 1
      ? []
      : [`the seals before seal ${sealId} of all campaigns, and the entries in them`]),
    ...(isCut ? ['everything after the first 1 000 differences'] : []),
    `entries without a seal up to id ${aboveEntry}`,
    'donations, transfers and milestones that no newer entry names',
    'totals of campaigns',
    'the status of campaigns and milestones',
    'escrows',
    'events',
    'the chain',
  ]
  return `Not checked: ${parts.join('; ')}. Without --since npm run check compares all of this except the chain; npm run reconcile compares the chain.`
}

const print = (differences: readonly Difference[]): void => {
  for (const { what, id, stored, recomputed } of differences) {
    console.log(`${what} ${id}: stored ${stored}, recomputed ${recomputed}`)
  }
}

const printOpen = async (sql: Database): Promise<void> => {
  const open = await countOpenDifferences(sql)
  if (open === 0) return
  console.log(
    `${open} open differences between chain and ledger, not acknowledged: see /api/reconciliation/differences.`,
  )
}

const printRestores = async (sql: Database): Promise<void> => {
  for (const { campaignId, seq, keyId, sealedAt, nextKeyId } of await listLostHeads({ sql })) {
    console.log(
      `The database was restored before the key ${nextKeyId}. The newest lost head: ${seq} of campaign ${campaignId}, signed at ${sealedAt.toISOString()} by the key ${keyId}. A head that is not newer and not in this ledger is of the lost time.`,
    )
  }
}

/** Reads the options and the files that they name. Throws StartError if these are not valid. */
const readOptions = (words: readonly string[]): Options => {
  const text = { type: 'string', multiple: true } as const
  const config = { args: [...words], options: { head: text, since: text } }
  const { since = [], head = [] } = parseOptions(config, USAGE).values
  const [file, ...more] = since
  if (more.length > 0) throw new StartError('--since takes one head. Give other heads with --head.')
  return {
    since: file === undefined ? undefined : readKept(file),
    heads: head.flatMap((one) => parseRememberedHeads(existsSync(one) ? readText(one) : one)),
  }
}

const readKept = (file: string): SignedHead => {
  const text = readText(file)
  try {
    return parseSignedHead(text)
  } catch (error) {
    throw new StartError(`--since ${file}: ${messageOf(error)}`)
  }
}

/** Runs `npm run check`, described in USAGE. Returns the exit code. */
export const run = command(USAGE, 2, async (words, env) =>
  main(readOptions(words), loadConfig(env)),
)

if (import.meta.main) process.exitCode = await run(process.argv.slice(2))
