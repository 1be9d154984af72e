import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { type Config, loadConfig } from '../config/config.ts'
import { createDatabase, type Database } from '../db/client.ts'
import { isUnavailable } from '../db/errors.ts'
import { assertSchema } from '../db/migrate.ts'
import { checkAcknowledgements, countOpenDifferences } from '../domain/blocks/index.ts'
import {
  checkBooks,
  checkSince,
  checkSlice,
  listLostHeads,
  type Part,
  parseRememberedHeads,
  parseSignedHead,
  type RememberedHead,
  type SignedHead,
  type SinceCheck,
} from '../domain/books/index.ts'
import type { Difference } from '../domain/shared/index.ts'
import { messageOf, StartError } from '../kernel/errors.ts'
import { databaseUrlOf } from '../local/runtime.ts'
import { openJournal } from './check-journal.ts'
import { createProgress } from './check-progress.ts'
import { command, parseOptions, readText } from './command.ts'

const MOST_DEFAULT_JOBS = 8
const MOST_JOBS = 64

const USAGE = `npm run check -- [options]
  --head <head>     compares a head that was kept: a file with the answer of
                    GET /api/campaigns/<id>/ledger/head, or <campaign>:<seq>:<head>;
                    may be given several times
  --since <file>    checks only entries newer than a kept head; the last line names the rest
  --jobs <n>        the number of connections that read at the same time; default: the number of
                    processors, at most ${MOST_DEFAULT_JOBS}
  --resume <file>   keeps finished ranges in this file until the check is complete; if the file
                    exists, the check goes on after these ranges
  --help            prints this

Recomputes every total and every seal from the ledger, and compares donations, transfers, campaigns
and milestones with it. Exits with 0 if everything agrees, 1 if something differs, 2 if it could not
check.`

type Options = {
  since: SignedHead | undefined
  heads: RememberedHead[]
  jobs: number
  resume: string | undefined
}

const main = async (options: Options, config: Config): Promise<number> => {
  const { jobs, since, resume } = options
  const limits = { max: jobs, name: 'fundproof check', statementTimeoutMs: 0 }
  const sql = createDatabase({ url: databaseUrlOf(config), ...limits })
  const progress = createProgress()
  try {
    await assertSchema(sql)
    const { onProgress } = progress
    return since
      ? await checkNew(sql, since, options.heads, { jobs, onProgress })
      : await checkAll(sql, options, onProgress)
  } catch (error) {
    if (!isUnavailable(error)) throw error
    const again = resume ? ` The same command goes on after the ranges in ${resume}.` : ''
    throw new StartError(
      `The check is not complete, because the database did not answer: ${messageOf(error)}.${again}`,
    )
  } finally {
    progress.stop()
    await sql.end({ timeout: 1 })
  }
}

const acknowledgements: Part = {
  name: 'acknowledgements',
  isSmall: true,
  run: async (sql) => ({ differences: await checkAcknowledgements(sql) }),
}

const checkAll = async (
  sql: Database,
  { heads, jobs, resume }: Options,
  onProgress: ReturnType<typeof createProgress>['onProgress'],
): Promise<number> => {
  const journal = resume === undefined ? undefined : openJournal(resume, await nameOf(sql))
  const options = { jobs, onProgress, ...(journal && { journal }) }
  const { differences, counts, isCut } = await checkBooks(sql, heads, [acknowledgements], options)
  print(differences)
  const found =
    differences.length === 0 ? 'every total and every seal agrees' : `${differences.length} differ`
  const { campaigns, entries, unsealed } = counts
  console.log(
    `${campaigns} campaigns, ${entries} ledger entries, ${unsealed} of them not sealed yet: ${found}.`,
  )
  if (isCut) console.log('There may be more: each part names at most its first 1 000 differences.')
  if (journal?.since) {
    console.log(
      `The check was resumed, so its parts saw different states of the database, the first at ${journal.since}.`,
    )
  }
  await printOpen(sql)
  await printRestores(sql)
  console.log(
    'This compares the database with itself. To compare payments with the chain, run npm run reconcile.',
  )
  journal?.remove()
  return differences.length === 0 ? 0 : 1
}

/** A name that a copy or a standby of the database shares, but no other database. */
const nameOf = async (sql: Database): Promise<string> => {
  const [row] = await sql<{ name: string }[]>`
    select system_identifier || ' ' || current_database() as name from pg_control_system()`
  return row?.name ?? ''
}

const checkNew = async (
  sql: Database,
  kept: SignedHead,
  others: readonly RememberedHead[],
  options: Parameters<typeof checkSince>[3],
): Promise<number> => {
  const checked = await checkSince(sql, { kept, others }, checkSlice, options)
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
  const one = { type: 'string' } as const
  const options = { head: text, since: text, jobs: one, resume: one }
  const {
    since = [],
    head = [],
    jobs,
    resume,
  } = parseOptions({ args: [...words], options }, USAGE).values
  const [file, ...more] = since
  if (more.length > 0) throw new StartError('--since takes one head. Give other heads with --head.')
  if (file !== undefined && resume !== undefined) {
    throw new StartError('--resume is for the check of the whole ledger, without --since.')
  }
  return {
    since: file === undefined ? undefined : readKept(file),
    heads: head.flatMap((one) => parseRememberedHeads(existsSync(one) ? readText(one) : one)),
    jobs: jobs === undefined ? Math.min(availableParallelism(), MOST_DEFAULT_JOBS) : readJobs(jobs),
    resume,
  }
}

const readJobs = (text: string): number => {
  const jobs = Number(text)
  if (Number.isInteger(jobs) && jobs >= 1 && jobs <= MOST_JOBS) return jobs
  throw new StartError(`--jobs takes a number from 1 to ${MOST_JOBS}.`)
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
