import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createDatabase } from '../../../src/db/client.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { newId } from '../../../src/kernel/ids.ts'
import { createTestDatabase } from '../../support/database.ts'

const FOLDER = join(import.meta.dirname, '../../../src/db/migrations')

type Journal = { entries: { when: number; tag: string }[] }

/** An empty database, brought to the schema of an earlier version. */
const createEarlier = async (newest: string) => {
  const { url, drop } = await createTestDatabase()
  onTestFinished(drop)
  const owner = createDatabase({ url, max: 1, asAppRole: false })
  onTestFinished(() => owner.end({ timeout: 1 }))
  await owner`drop schema drizzle cascade`
  await owner`drop schema public cascade`
  await owner`create schema public`
  await owner`grant usage on schema public to public`
  // As the migrator makes them.
  await owner`create schema drizzle`
  await owner`
    create table drizzle.__drizzle_migrations (
      id serial primary key, hash text not null, created_at bigint)`
  const journal = JSON.parse(readFileSync(join(FOLDER, 'meta/_journal.json'), 'utf8')) as Journal
  const last = journal.entries.findIndex(({ tag }) => tag === newest)
  for (const { tag } of journal.entries.slice(0, last + 1)) {
    const text = readFileSync(join(FOLDER, `${tag}.sql`), 'utf8')
    for (const statement of text.split('--> statement-breakpoint')) await owner.unsafe(statement)
  }
  await owner`
    insert into drizzle.__drizzle_migrations (hash, created_at)
    values ('', ${journal.entries[last]?.when ?? 0})`
  return { url, owner }
}

it('keeps the deliveries that a worker of the version before holds, in their order', async () => {
  const { url, owner } = await createEarlier('0005_handover')
  const pairs = Array.from({ length: 5 }, () => ({ event_id: newId(), endpoint_id: newId() }))
  const until = new Date()
  await owner`
    insert into webhook_handover (id, lease_until, deliveries)
    values (${newId()}, ${until}, ${owner.json(pairs)})`
  await migrate(url)
  expect(
    await owner`select lease_until, event_ids, endpoint_ids from webhook_handover`,
  ).toMatchObject([
    {
      lease_until: until,
      event_ids: pairs.map(({ event_id }) => event_id),
      endpoint_ids: pairs.map(({ endpoint_id }) => endpoint_id),
    },
  ])
})

it('takes wallets from before a verification or a reset for none that a campaign collects with', async () => {
  const { url, owner } = await createEarlier('0006_delivered')
  const at = (day: number) => new Date(Date.UTC(2026, 0, day))
  let wallets = 0
  const link = async (verified: Date | null, reset: Date | null) => {
    const [userId, id] = [newId(), newId()]
    const address = `0x${(++wallets).toString(16).padStart(40, '0')}`
    await owner`
      insert into app_user (id, email, username, password_hash, email_verified_at, created_at)
      values (${userId}, ${userId}, ${userId}, '', ${verified}, ${at(1)})`
    await owner`
      insert into wallet (id, user_id, address, chain_id, method, created_at)
      values (${id}, ${userId}, ${address}, 1, 'ecdsa', ${at(5)})`
    if (reset) {
      await owner`
        insert into session (id, user_id, created_at, expires_at, revoked_at, revoked_reason)
        values (${newId()}, ${userId}, ${at(1)}, ${at(30)}, ${reset}, 'password_reset')`
    }
    return id
  }
  const before = [await link(null, null), await link(at(6), null), await link(at(2), at(6))]
  await link(at(2), null)
  await link(at(2), at(4))
  await migrate(url)
  const rows = await owner<{ id: string }[]>`select id from wallet where before_reset`
  expect(rows.map(({ id }) => id).toSorted()).toEqual(before.toSorted())
})
