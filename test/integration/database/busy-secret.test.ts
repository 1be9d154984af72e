import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../../src/db/client.ts'
import type { Context } from '../../../src/db/context.ts'
import { loadSigningKeys, rotateSecret } from '../../../src/domain/account/index.ts'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { createSecretBox, tryToOpen } from '../../../src/kernel/ports/secrets.ts'
import { createUser, createWorld } from '../../support/world.ts'

const OLD = 'the value of SECRET before the change'
const NEW = 'the value of SECRET after the change'
const ENDPOINTS = 200
const RUNS = 12

/** Changes a row without pause, as deliveries to a rate-limited endpoint do. */
const keepBusy = (ctx: Context, url: string, id: string) => {
  const pool = createDatabase({ url, max: 1 })
  let on = true
  const busy = (async () => {
    while (on) {
      await pool`update webhook_endpoint set next_slot_at = now() where id = ${id}`
      await delay(1)
    }
    await pool.end({ timeout: 1 })
  })()
  onTestFinished(async () => {
    on = false
    await busy
    await ctx.sql`delete from webhook_endpoint`
  })
}

test('the change of SECRET does not end before a row that is always changed is encrypted', async () => {
  const { ctx, url } = await createWorld()
  const before = { ...ctx, secrets: createSecretBox(OLD) }
  await loadSigningKeys(before)
  const { userId } = await createUser(ctx)
  const ids = Array.from({ length: ENDPOINTS }, () => newId())
  for (const id of ids) {
    await ctx.sql`
      insert into webhook_endpoint (id, user_id, url, events, secret_sealed, created_at)
      values (${id}, ${userId}, 'http://one.example', ${['donation.completed']},
              ${before.secrets.seal('secret')}, now())`
  }
  keepBusy(ctx, url, ids[0] ?? '')
  const during = { ...ctx, secrets: createSecretBox(NEW, OLD) }
  const after = createSecretBox(NEW)
  await rotateSecret(during)
  await ctx.sql`update signing_key set created_at = created_at - interval '3 minutes'`
  for (let run = 0; run < RUNS; run++) {
    const { changedAt } = await rotateSecret(during)
    if (!changedAt) continue
    const rows = await ctx.sql<{ sealed: string }[]>`
      select secret_sealed as sealed from webhook_endpoint`
    expect(rows.filter(({ sealed }) => tryToOpen(after, sealed) === undefined)).toEqual([])
    return
  }
})
