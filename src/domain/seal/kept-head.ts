import * as fs from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { messageOf, StartError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { isKnown, recordLostHead } from './lost-heads.ts'
import { SignedHead } from './remembered-heads.ts'

/** The content of the file, which `npm run check -- --since` can read too. */
const KeptHead = SignedHead.extend({
  /** The transaction that signs the head (`xid8`); null if the head was read from the database. */
  transaction: z.string().nullable(),
  /** The newest head before this transaction. It counts if the transaction was rolled back. */
  before: SignedHead.nullable(),
})
type KeptHead = z.output<typeof KeptHead>

/**
 * Compares the newest signed head in `folder` with the database, and records a head that the
 * database lacks. The caller must hold the sealing lock. Without a file, or if the file is older,
 * `learn` takes the newest head from the database.
 *
 * The file is written before the commit, so no head is published that the file does not have.
 *
 * @throws StartError if the file cannot be read. `learn` and `sign` throw it if they cannot write
 */
export const openKeptHead = async (ctx: Context, folder: string) => {
  const { sql } = ctx
  const [row] = await sql<{ ledger: string }[]>`
    select coalesce((select kid from signing_key order by created_at, kid limit 1), 'new') as ledger`
  // The first key for access tokens is older than each backup, and each new database has its own.
  const path = join(folder, `signed-head-${row?.ledger}.json`)
  const kept = read(path)
  const [newest = null] = await sql<SignedHead[]>`
    select campaign_id, seq, head, total_entries as entries, global_head, signature, key_id,
           to_char(sealed_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as sealed_at
    from ledger_seal order by id desc limit 1`
  const published = kept && (await isRolledBack(ctx, kept)) ? kept.before : kept
  if (published && !(await isKnown(ctx, published))) await recordLostHead(ctx, published)
  return {
    /** Keeps the newest head of the database, which another worker may have signed. */
    learn(): void {
      if (!newest || (newest.globalHead === kept?.globalHead && !kept.transaction)) return
      write(path, { ...newest, transaction: null, before: null })
    },
    /** Keeps a head that the caller's transaction signs. */
    async sign(head: SignedHead): Promise<void> {
      const [current] = await sql<{ id: string }[]>`select pg_current_xact_id()::text as id`
      write(path, { ...head, transaction: current?.id ?? null, before: newest })
    },
  }
}

/** Whether the head was never committed, because its worker or the database stopped before. */
const isRolledBack = async (
  { sql }: Context,
  { transaction, globalHead }: KeptHead,
): Promise<boolean> => {
  if (transaction === null) return false
  const [row] = await sql<{ status: string | null }[]>`
    select case when id < pg_snapshot_xmax(pg_current_snapshot()) then pg_xact_status(id) end as status
    from (select ${transaction}::text::xid8 as id) kept
    where not exists (select from ledger_seal where global_head = ${globalHead})`
  return row?.status === 'aborted'
}

const read = (path: string): KeptHead | null => {
  try {
    return KeptHead.parse(JSON.parse(fs.readFileSync(path, 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new StartError(
      `${path} cannot be read, so nothing is signed: restore it, or delete it to trust the database. (${messageOf(error)})`,
    )
  }
}

/** Replaces the file. A crash leaves the old file or the new file, and the new file is on disk. */
const write = (path: string, kept: KeptHead): void => {
  const draft = `${path}.${process.pid}`
  try {
    fs.mkdirSync(join(path, '..'), { recursive: true, mode: 0o711 })
    fs.writeFileSync(draft, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600, flush: true })
    fs.renameSync(draft, path)
    const folder = fs.openSync(join(path, '..'), 'r')
    fs.fsyncSync(folder)
    fs.closeSync(folder)
  } catch (error) {
    throw new StartError(
      `${path} cannot be written, so nothing is signed: see DATA_DIR. (${messageOf(error)})`,
    )
  }
}
