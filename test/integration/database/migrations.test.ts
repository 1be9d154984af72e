import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createDatabase } from '../../../src/db/client.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { newId } from '../../../src/kernel/ids.ts'
import { createTestDatabase } from '../../support/database.ts'
import { storedAttempts, storedDeliveries } from '../../support/deliveries.ts'

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

it('keeps every delivery in one table: what is listed, with its attempts, and what a worker holds', async () => {
  const { url, owner } = await createEarlier('0007_account_takeover')
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second))
  const [userId, endpointId] = [newId(), newId()]
  await owner`
    insert into app_user (id, email, username, password_hash, created_at)
    values (${userId}, 'a@example.com', 'ada', '', ${at(0)})`
  await owner`
    insert into webhook_endpoint (id, user_id, url, events, secret_sealed, created_at)
    values (${endpointId}, ${userId}, 'https://hooks.example.com/', '{user.verified}', '', ${at(0)})`
  const events = Array.from({ length: 5 }, () => newId())
  for (const id of events) {
    await owner`
      insert into event (id, type, audience, body, created_at, relayed_at)
      values (${id}, 'user.verified', ${[userId]}::uuid[], '{}', ${at(1)}, ${at(2)})`
  }
  const [failing = '', first = '', second = '', held = '', removed = ''] = events
  const deliveryId = newId()
  await owner`
    insert into webhook_delivery (id, event_id, endpoint_id, status, attempts, schedule_attempts,
                                  event_seq, next_attempt_at, created_at)
    values (${deliveryId}, ${failing}, ${endpointId}, 'pending', 25, 2, 1, ${at(9)}, ${at(2)})`
  await owner`
    insert into webhook_attempt (delivery_id, number, started_at, duration_ms, status_code,
                                 error_kind, response_body)
    select ${deliveryId}, n, ${at(3)}, n, 500, 'http', 'no' from generate_series(1, 25) n`
  await owner`
    insert into webhook_delivered (endpoint_id, created_at, first_id, event_type, delivered_at, ids,
                                   event_ids, started_ms, duration_ms, status_codes)
    values (${endpointId}, ${at(2)}, ${first}, 'user.verified', ${at(4)}, ${[first, second]}::uuid[],
            ${[first, second]}::uuid[], ${[at(3).getTime(), at(3).getTime()]}::bigint[],
            ${[7, 8]}::int[], ${[204, 200]}::int[])`
  await owner`
    insert into webhook_handover (id, lease_until, ids, event_ids, endpoint_ids)
    values (${newId()}, ${at(30)}, ${[second, held]}::uuid[], ${[second, held]}::uuid[],
            ${[endpointId, endpointId]}::uuid[])`
  await owner`
    insert into webhook_delivery (id, event_id, endpoint_id, status, created_at)
    values (${newId()}, ${newId()}, ${endpointId}, 'delivered', ${at(2)})`
  await migrate(url)
  const rows = await storedDeliveries(owner)
  const of = (eventId: string) => rows.find((row) => row.event_id === eventId)
  expect(rows).toHaveLength(4)
  expect(of(failing)).toMatchObject({ id: deliveryId, status: 'pending', attempts: 25 })
  expect(of(first)).toMatchObject({ id: first, status: 'delivered', attempts: 1 })
  expect(of(second)).toMatchObject({ id: second, status: 'delivered', attempts: 1 })
  expect(of(held)).toMatchObject({ id: held, status: 'pending', attempts: 0 })
  expect(of(removed)).toBeUndefined()
  const attempts = await storedAttempts(owner)
  const numbers = attempts.filter((each) => each.delivery_id === deliveryId)
  expect(numbers.map(({ number, duration_ms }) => [number, duration_ms])).toEqual(
    Array.from({ length: 20 }, (_, index) => [index + 6, index + 6]),
  )
  expect(attempts.find((each) => each.delivery_id === first)).toMatchObject({
    number: 1,
    started_at: at(3),
    duration_ms: 7,
    status_code: 204,
    response_body: '',
  })
  expect(await owner`select answered_at from webhook_endpoint`).toEqual([{ answered_at: at(0) }])
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

it('books for the first campaign of an account what came before it', async () => {
  const { url, owner } = await createEarlier('0010_lists')
  const at = new Date(Date.UTC(2026, 0, 1))
  const account = (digit: string) => `0x${digit.repeat(40)}`
  const userId = newId()
  await owner`
    insert into app_user (id, email, username, password_hash, created_at)
    values (${userId}, 'a@example.com', 'ada', '', ${at})`
  await owner`
    insert into asset (id, chain_id, kind, symbol, decimals) values ('ETH', 1, 'native', 'ETH', 18)`
  await owner`
    insert into chain_state (chain_id, cursor_number, cursor_hash, head_number, finalized_number,
                             booked_number, updated_at)
    select chain_id, 9, '', 9, 9, 9, now() from generate_series(1, 2) chain_id`
  await owner`
    insert into campaign (id, creator_id, title, description, status, currency_id, target_amount,
                          chain_id, account, created_at, updated_at)
    select gen_random_uuid(), ${userId}, '', '', status, 'ETH', 1, 1, account, now(), now()
    from (values ('active', ${account('a')}), ('draft', ${account('b')})) row (status, account)`
  // Of a draft, of a campaign, of a campaign, and of no campaign.
  await owner`
    insert into chain_transfer (id, chain_id, tx_hash, position, asset_id, sender, recipient, amount,
                                block_number, block_hash, mined_at, seen_at)
    select gen_random_uuid(), chain_id, number::text, 0, 'ETH', '', account, 1, number, '', ${at}, ${at}
    from (values (1, 2, ${account('b')}), (1, 4, ${account('a')}), (1, 6, ${account('a')}),
                 (2, 1, ${account('a')})) row (chain_id, number, account)`
  await migrate(url)
  const rows = await owner<{ booked: number }[]>`
    select booked_number as booked from chain_state order by chain_id`
  expect(rows.map(({ booked }) => booked)).toEqual([3, 9])
})
