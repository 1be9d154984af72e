import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type Journal, keyOf } from '../domain/books/index.ts'
import { StartError } from '../kernel/errors.ts'
import { VERSION } from './version.ts'

/** The form of the file. Change the number with each change of the form or of the parts. */
const FORM = 1

type Line =
  | { plan: Journal['plan'] }
  | { key: string; found: NonNullable<ReturnType<Journal['found']['get']>> }
type Head = { check: number; version: string; database: string; startedAt: string }

/** `since`: when the first run began, if this run goes on after it. */
type CheckJournal = Journal & { since: string | undefined; remove(): void }

/**
 * Opens the file that keeps the finished ranges of `npm run check` and their differences. Each line
 * is written at once, so a killed process loses only its unfinished ranges.
 *
 * @param database names the database
 * @throws StartError if the file is of another database or version
 */
export const openJournal = (file: string, database: string): CheckJournal => {
  const isNew = !existsSync(file)
  const head: Head = {
    ...{ check: FORM, version: VERSION, database },
    startedAt: new Date().toISOString(),
  }
  if (isNew) writeFileSync(file, JSON.stringify(head), { mode: 0o600 })
  const [first, ...lines] = readFileSync(file, 'utf8').split('\n').map(parsed)
  const { startedAt } = (first ?? {}) as Partial<Head>
  if (JSON.stringify(first) !== JSON.stringify({ ...head, startedAt })) {
    throw new StartError(
      `--resume ${file}: the file is not of a check of this database by this version of Fundproof.`,
    )
  }
  let plan: Journal['plan'] = {}
  const found = new Map<string, Extract<Line, { key: string }>['found']>()
  const take = (line: Line): void => {
    if ('key' in line) {
      found.set(line.key, line.found)
      return
    }
    // The last range of a plan has no end, so new rows can be in it. It is checked again.
    for (const [part, ends] of Object.entries(plan)) found.delete(keyOf(part, ends.length))
    plan = line.plan
  }
  for (const line of lines) if (line) take(line as Line)
  const save = (line: Line): void => {
    take(line)
    // Begins with the end of the line before, which a killed process may have written in part.
    appendFileSync(file, `\n${JSON.stringify(line)}`)
  }
  return {
    plan,
    found,
    savePlan: (plan) => save({ plan }),
    saveFound: (key, found) => save({ key, found }),
    since: isNew ? undefined : startedAt,
    remove: () => rmSync(file),
  }
}

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
