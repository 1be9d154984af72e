import type { Database } from '../../../db/client.ts'
import { type Clock, systemClock } from '../../../kernel/ports/clock.ts'
import type { Difference } from '../../shared/index.ts'
import { ledgerParts } from '../ledger/check/check-ledger.ts'
import {
  type Outcome,
  onOneSnapshot,
  type Part,
  type RunOptions,
  runParts,
} from '../ranges/run-parts.ts'
import { sealParts } from '../seal/check-seals.ts'
import type { RememberedHead } from '../seal/remembered-heads.ts'
import { readIssuedSeal } from '../seal/seal-statements.ts'

/** `jobs`: the number of connections. Each works on another range of rows. Default: 1. */
export type CheckOptions = RunOptions & { jobs?: number }

const check = (
  pool: Database,
  parts: readonly Part[],
  { jobs = 1, ...options }: CheckOptions = {},
): Promise<Outcome> =>
  onOneSnapshot(pool, jobs, (connections) => runParts(connections, parts, options))

/** Compares all books in one snapshot: the ledger, the seals and `more`. */
export const checkBooks = async (
  pool: Database,
  heads: readonly RememberedHead[],
  more: readonly Part[],
  options: CheckOptions,
): Promise<Outcome> => {
  const seals = sealParts(heads, await readIssuedSeal(pool))
  return check(pool, [...ledgerParts(systemClock), ...seals, ...more], options)
}

type LedgerCheck = { campaigns: number; entries: number; differences: Difference[] }

/** Compares the ledger with everything except its seals. */
export const checkLedger = async (
  pool: Database,
  clock: Clock = systemClock,
  options?: CheckOptions,
): Promise<LedgerCheck> => {
  const { counts, differences } = await check(pool, ledgerParts(clock), options)
  return { campaigns: counts.campaigns ?? 0, entries: counts.entries ?? 0, differences }
}

type SealCheck = { seals: number; sealed: number; unsealed: number; differences: Difference[] }

/** Compares the ledger with its seals and with heads that were kept. */
export const checkSeals = async (
  pool: Database,
  remembered: readonly RememberedHead[] = [],
  options?: CheckOptions,
): Promise<SealCheck> => {
  const parts = sealParts(remembered, await readIssuedSeal(pool))
  const { counts, differences } = await check(pool, parts, options)
  const { seals = 0, sealed = 0, unsealed = 0 } = counts
  return { seals, sealed, unsealed, differences }
}
