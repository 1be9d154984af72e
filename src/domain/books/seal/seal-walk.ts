import type { LedgerSeal } from '../../../db/schema/seals.ts'
import {
  globalHeadHash,
  headHash,
  leafHash,
  NO_HEAD,
  SEAL_VERSION,
} from '../../../verifier/index.ts'
import type { Difference } from '../../shared/index.ts'
import { type LeafRow, toLeaf } from './leaf.ts'
import { merkleRoot } from './merkle.ts'

/** A row with a seal and one of its entries. The entry's columns are null if the entry is gone. */
export type WalkRow = Omit<LedgerSeal, 'id' | 'campaignId'> & {
  sealId: number
  sealCampaign: string
  entryId: number | null
  leaf: string | null
  leafPosition: number | null
} & { [K in keyof LeafRow]: LeafRow[K] | null }

/** An entry is committed at most this long after its `created_at`. */
const LATE_COMMIT_MS = 10 * 60_000

/** A campaign's last seal, the campaign's highest sealed entry id, and that entry's seal time. */
export type Tip = Pick<LedgerSeal, 'seq' | 'head' | 'totalEntries' | 'sealedAt'> & {
  newestEntry: number
}
const NO_TIP: Tip = {
  ...{ seq: 0, head: NO_HEAD, totalEntries: 0 },
  ...{ newestEntry: 0, sealedAt: new Date(0) },
}

/** The state before a walk: the last seal of all (`lastId`, `globalHead`) and of each campaign. */
export type WalkStart = { lastId: number; globalHead: string; tips: Map<string, Tip> }
/** Follows the chain of all seals and the chain of each campaign's seals. Reports each break. */
export const createSealWalk = (isSigned: (row: WalkRow) => Promise<boolean>, start: WalkStart) => {
  const differences: Difference[] = []
  const tips = new Map(start.tips)
  let { globalHead, lastId } = start
  let seals = 0
  let sealed = 0
  let current: WalkRow[] = []
  const signatures: Promise<{ id: string; signed: boolean }>[] = []

  const report = (what: string, id: string, stored: unknown, recomputed: unknown): void => {
    differences.push({ what, id, stored: String(stored), recomputed: String(recomputed) })
  }
  const expect = (what: string, id: string, stored: unknown, recomputed: unknown): void => {
    if (stored !== recomputed) report(what, id, stored, recomputed)
  }

  const closeSeal = (): void => {
    const [seal] = current
    if (!seal) return
    const rows = current.filter((row) => row.entryId !== null)
    const id = `${seal.seq} of campaign ${seal.sealCampaign}`
    const tip = tips.get(seal.sealCampaign) ?? NO_TIP
    rows.forEach((row, position) => {
      checkEntry(row, tip)
      expect('position of sealed entry', String(row.entryId), row.leafPosition, position)
    })
    const leaves = rows.map((row) => row.leaf ?? '')
    expect('number of entries of seal', id, seal.entries, rows.length)
    const root = recompute(() => merkleRoot(leaves))
    expect('root of seal', id, seal.root, root)
    expect('version of seal', id, seal.version, SEAL_VERSION)
    expect('sequence of seal', id, seal.seq, tip.seq + 1)
    expect('previous head of seal', id, seal.previousHead, tip.head)
    expect('total of entries of seal', id, seal.totalEntries, tip.totalEntries + seal.entries)
    const head = recompute(() => headOf(seal))
    expect('head of seal', id, seal.head, head)
    expect('position of seal among all seals', id, seal.sealId, lastId + 1)
    expect('previous global head of seal', id, seal.previousGlobalHead, globalHead)
    const expected = globalHeadHash(seal.previousGlobalHead, seal.head)
    expect('global head of seal', id, seal.globalHead, expected)
    signatures.push(isSigned(seal).then((signed) => ({ id, signed })))
    const newest = Math.max(0, ...rows.map((row) => row.entryId ?? 0))
    const moved = newest > tip.newestEntry
    tips.set(seal.sealCampaign, {
      seq: seal.seq,
      head: seal.head,
      totalEntries: seal.totalEntries,
      newestEntry: moved ? newest : tip.newestEntry,
      sealedAt: moved ? seal.sealedAt : tip.sealedAt,
    })
    globalHead = seal.globalHead
    lastId = seal.sealId
    seals += 1
    sealed += rows.length
    current = []
  }

  const checkEntry = (row: WalkRow, tip: Tip): void => {
    const id = String(row.entryId)
    if (!isWhole(row)) {
      report('sealed entry', id, 'gone', row.leaf ?? '')
      return
    }
    const leaf = recompute(() => leafHash(toLeaf(row)))
    expect('sealed entry', id, leaf, row.leaf)
    expect('campaign of sealed entry', id, row.campaignId, row.sealCampaign)
    if (isPutBetween(row, tip)) {
      report('entry inserted between sealed entries', id, `sealed by ${row.seq}`, 'none')
    }
  }

  return {
    /** Takes the next row. Rows come in the order of seals, then of positions within a seal. */
    read(row: WalkRow): void {
      if (current[0]?.sealId !== row.sealId) closeSeal()
      current.push(row)
    },
    async end() {
      closeSeal()
      for (const { id, signed } of await Promise.all(signatures)) {
        expect('signature of seal', id, signed ? 'valid' : 'not valid', 'valid')
      }
      return { seals, sealed, differences }
    },
  }
}

const isPutBetween = (entry: Pick<LeafRow, 'id' | 'createdAt'>, tip: Tip): boolean =>
  entry.id < tip.newestEntry && entry.createdAt.getTime() < tip.sealedAt.getTime() - LATE_COMMIT_MS

/** Computes a hash. Catches errors, because a changed value may not be a valid hash or time. */
const recompute = (hash: () => string): string => {
  try {
    return hash() || 'none'
  } catch {
    return 'not to be computed'
  }
}

const isWhole = (row: WalkRow): row is WalkRow & LeafRow => row.id !== null

const headOf = (seal: WalkRow): string =>
  headHash({ ...seal, campaignId: seal.sealCampaign, sealedAt: seal.sealedAt.toISOString() })
