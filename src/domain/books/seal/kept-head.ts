import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Context } from '../../../db/context.ts'
import { messageOf, StartError } from '../../../kernel/errors.ts'
import { isKnown, recordLostHead } from './lost-heads.ts'
import { SignedHead } from './remembered-heads.ts'

/** The content of the file, which `npm run check -- --since` can read too. */
const KeptHead = SignedHead.extend({
  /** The `seal_intent` of the head; null if the head was read from the database. */
  intent: z.uuid().nullable(),
  /** The newest head before this head. It counts if this head was never committed. */
  before: SignedHead.nullable(),
})
type KeptHead = z.output<typeof KeptHead>

/**
 * Compares the newest signed head in `folder` with the database, and records a head that the
 * database lacks. The caller must hold the sealing lock. Without a file, or if the file is older,
 * `learn` takes the newest head from the database.
 *
 * The file is written before the commit, so no head is published that the file does not have. An
 * intent is committed before the file is written. A database with the intent but without the head
 * never had the head; an older database has neither.
 *
 * @throws StartError if the file cannot be read. `learn` and `sign` throw it if they cannot write
 */
export const openKeptHead = async (ctx: Context, folder: string) => {
  const { sql } = ctx
  const [row] = await sql<{ ledger: string }[]>`
    select coalesce((select kid from signing_key order by created_at, kid limit 1), 'new') as ledger`
  // Names the file after the oldest key for access tokens: all backups of a database have the same
  // oldest key, and a new database has another.
  const path = join(folder, `signed-head-${row?.ledger}.json`)
  const kept = read(path)
  const [newest = null] = await sql<SignedHead[]>`
    select campaign_id, seq, head, total_entries as entries, global_head, signature, key_id,
           to_char(sealed_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as sealed_at
    from ledger_seal order by id desc limit 1`
  const published = kept && (await isUncommitted(ctx, kept)) ? kept.before : kept
  if (published && !(await isKnown(ctx, published))) await recordLostHead(ctx, published)
  const keep = async (next: KeptHead, whenDrafted = async () => {}): Promise<void> => {
    await write(path, next, whenDrafted)
    if (kept?.intent) await ctx.pool`delete from seal_intent where id = ${kept.intent}`
  }
  return {
    /** Keeps the newest head of the database, which another worker may have signed. */
    async learn(): Promise<void> {
      if (!newest || (newest.globalHead === kept?.globalHead && !kept.intent)) return
      await keep({ ...newest, intent: null, before: null })
    },
    /** Keeps a head that the caller's transaction signs. */
    async sign(head: SignedHead): Promise<void> {
      const intent = randomUUID()
      await keep({ ...head, intent, before: newest }, async () => {
        // Inserts over another connection, because the intent must be committed before the
        // caller's transaction. Inserts after the draft, so that a full disk leaves no row.
        await ctx.pool`insert into seal_intent (id) values (${intent})`
      })
    },
  }
}

/** Whether the head was never committed, because its worker or the database stopped before. */
const isUncommitted = async (
  { sql }: Context,
  { intent, globalHead }: KeptHead,
): Promise<boolean> => {
  const [row] = await sql`
    select from seal_intent
    where id = ${intent} and not exists (select from ledger_seal where global_head = ${globalHead})`
  return row !== undefined
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
const write = async (
  path: string,
  kept: KeptHead,
  whenDrafted: () => Promise<void>,
): Promise<void> => {
  const draft = `${path}.${process.pid}`
  orRefuse(path, () => {
    fs.mkdirSync(join(path, '..'), { recursive: true, mode: 0o711 })
    fs.writeFileSync(draft, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600, flush: true })
  })
  await whenDrafted()
  orRefuse(path, () => {
    fs.renameSync(draft, path)
    const folder = fs.openSync(join(path, '..'), 'r')
    fs.fsyncSync(folder)
    fs.closeSync(folder)
  })
}

const orRefuse = (path: string, change: () => void): void => {
  try {
    change()
  } catch (error) {
    throw new StartError(
      `${path} cannot be written, so nothing is signed: see DATA_DIR. (${messageOf(error)})`,
    )
  }
}
