import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../../src/db/client.ts'
import { withTransaction } from '../../../src/db/transaction.ts'
import { createWorld } from '../../support/world.ts'

test('a transaction that reads a table as it was before a migration runs again, and succeeds', async () => {
  const { url, ctx } = await createWorld()
  const pool = createDatabase({ url, max: 1 })
  onTestFinished(() => pool.end({ timeout: 1 }))
  const read = () =>
    withTransaction({ ...ctx, sql: pool, pool }, ({ sql }) => sql`select * from campaign_total`)
  await read()
  const owner = createDatabase({ url, max: 1, asAppRole: false })
  await owner`alter table campaign_total add column next_note text`
  await owner.end({ timeout: 1 })
  expect(await read()).toHaveLength(0)
})
