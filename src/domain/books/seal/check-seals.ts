import type { Queryable } from '../../../db/client.ts'
import { NO_HEAD } from '../../../verifier/index.ts'
import type { Difference } from '../../shared/index.ts'
import type { Found, Part } from '../ranges/run-parts.ts'
import type { Range, Slice } from '../ranges/slice.ts'
import type { RememberedHead } from './remembered-heads.ts'
import { listSealKeys } from './seal-keys.ts'
import {
  compareRemembered,
  isSignedBy,
  readLast,
  readLateSeals,
  readMissingSeals,
  readOrphans,
  readTips,
  readUnsealed,
  readUnsealedForLong,
  readWalk,
  readWrongAccounts,
} from './seal-statements.ts'
import { createSealWalk } from './seal-walk.ts'

/**
 * Recomputes all seals from their entries, and reports changed, removed and inserted entries. A
 * deletion of the newest seals with their entries may leave no trace in the database. Only a head
 * that was kept outside the database then shows this deletion. `issued` is the newest seal before
 * the snapshot, as `readIssuedSeal` returns it.
 */
export const sealParts = (remembered: readonly RememberedHead[], issued: number): Part[] => [
  {
    name: 'seals',
    ranges: { table: 'sealed_entry', column: 'seal_id', rows: 'seals' },
    run: (sql, slice) => walkSeals(sql, slice),
  },
  {
    name: 'seals of entries',
    ranges: { table: 'ledger_entry', column: 'id', rows: 'entries' },
    async run(sql, slice) {
      const { differences, counts } = await walkUnsealed(sql, slice)
      const others = [
        ...(await readWrongAccounts(sql, slice)),
        ...(await readUnsealedForLong(sql, slice)),
      ]
      return { differences: [...differences, ...others], counts }
    },
  },
  {
    name: 'seals of donations',
    ranges: { table: 'donation_proof', column: 'donation_id', rows: 'donations' },
    run: async (sql, slice) => ({ differences: await readLateSeals(sql, slice) }),
  },
  lastSeals(remembered, issued),
]

/** The seals that are missing at the end, and the kept heads. */
export const lastSeals = (remembered: readonly RememberedHead[], issued: number): Part => ({
  name: 'newest seals',
  isSmall: true,
  run: async (sql) => ({
    differences: [
      ...(await readMissingSeals(sql, issued)),
      ...(await compareRemembered(sql, remembered)),
    ],
  }),
})

type Walked = Found & { counts: Record<string, number>; ids: number[] }

/** Checks a range of seals. Returns the ids of their entries. */
export const walkSeals = async (sql: Queryable, slice: Slice): Promise<Walked> => {
  const { after } = slice.seals as Range
  const last = await readLast(sql, after)
  const tips = await readTips(sql, slice, after)
  const walk = createSealWalk(isSignedBy(await listSealKeys({ sql })), {
    lastId: last?.id ?? 0,
    globalHead: last?.globalHead ?? NO_HEAD,
    tips: new Map(tips.map(({ campaignId, ...tip }) => [campaignId, tip])),
  })
  const ids: number[] = []
  for await (const rows of readWalk(sql, slice)) {
    for (const row of rows) {
      walk.read(row)
      if (row.id !== null) ids.push(row.id)
    }
  }
  const { differences, ...counts } = await walk.end()
  return { differences: [...differences, ...(await readOrphans(sql, slice))], counts, ids }
}

/** Reports entries without a seal that are older than sealed entries. Returns the ids of all. */
export const walkUnsealed = async (sql: Queryable, slice: Slice): Promise<Walked> => {
  const differences: Difference[] = []
  const ids: number[] = []
  for await (const rows of readUnsealed(sql, slice)) {
    for (const { id, isBetween } of rows) {
      ids.push(id)
      if (!isBetween) continue
      const what = 'entry inserted between sealed entries'
      differences.push({ what, id: String(id), stored: 'unsealed', recomputed: 'none' })
    }
  }
  return { differences, counts: { unsealed: ids.length }, ids }
}
