import { setTimeout as delay } from 'node:timers/promises'
import { StartError } from '../kernel/errors.ts'
import type { Log } from '../kernel/ports/log.ts'
import { newestApplied, newestKnown } from './migrate.ts'
import type { Queryable } from './pool.ts'

/** Detects that a newer version of the service has migrated the database. */
export type SchemaWatch = {
  isNewer(): boolean
  /** Calls `act` once, when a newer schema is detected. */
  onNewer(act: () => unknown): void
  close(): void
}

/** The pause between two checks. An old version may work this long after a migration. */
const CHECK_EVERY_MS = 1_000

/** At each check also runs `read`, whose StartError counts like a newer schema. */
export const watchSchema = (sql: Queryable, log: Log, read: () => Promise<void>): SchemaWatch => {
  const found = Promise.withResolvers<void>()
  const closing = new AbortController()
  const known = newestKnown()
  let problem = ''

  const watch = async (): Promise<void> => {
    while (problem === '') {
      await delay(CHECK_EVERY_MS, undefined, { signal: closing.signal, ref: false })
      // If the database cannot be read, the schema counts as not newer.
      if ((await newestApplied(sql).catch(() => 0)) > known) {
        problem = 'the database has a newer schema than this version'
      }
      await read().catch((error: unknown) => {
        if (error instanceof StartError) problem = error.message
      })
    }
    log.error(`this process accepts no more work: ${problem}`)
    found.resolve()
  }
  watch().catch(() => {})

  return {
    isNewer: () => problem !== '',
    onNewer: (act) => void found.promise.then(act),
    close: () => closing.abort(),
  }
}
