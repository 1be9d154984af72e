import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../kernel/log.ts'
import { newestApplied, newestKnown } from './migrate.ts'
import type { Queryable } from './pool.ts'

/** Finds out that a newer version has migrated the database. It stays found until the process ends. */
export type SchemaWatch = {
  isNewer(): boolean
  /** Calls `act` once, when it is found out. */
  onNewer(act: () => unknown): void
  close(): void
}

/** For so long an earlier version may work on a newer schema. */
const LOOK_EACH_MS = 1_000

export const watchSchema = (sql: Queryable, log: Log): SchemaWatch => {
  const found = Promise.withResolvers<void>()
  const closing = new AbortController()
  const known = newestKnown()
  let newer = false

  const look = async (): Promise<boolean> => (await newestApplied(sql)) > known

  const watch = async (): Promise<void> => {
    while (!newer) {
      await delay(LOOK_EACH_MS, undefined, { signal: closing.signal, ref: false })
      // A database that is away says nothing about its schema.
      newer = await look().catch(() => false)
    }
    log.error('the database has a newer schema than this version: no more work is taken')
    found.resolve()
  }
  watch().catch(() => {})

  return {
    isNewer: () => newer,
    onNewer: (act) => void found.promise.then(act),
    close: () => closing.abort(),
  }
}
