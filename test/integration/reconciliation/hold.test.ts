import { expect, test } from 'vitest'
import { createDatabase } from '../../../src/db/client.ts'
import { withChainLease } from '../../../src/domain/reconciliation/index.ts'
import { waitFor } from '../../support/wait-for.ts'
import { createWorld } from '../../support/world.ts'

test('a comparison whose connection breaks ends, and the next one begins', async () => {
  const { ctx, url } = await createWorld()
  const owner = createDatabase({ url, max: 1, asAppRole: false })
  const holders = () => owner<{ pid: number }[]>`
    select pid from pg_locks where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())`
  const held = await withChainLease(ctx, 1, async () => {
    expect(await withChainLease(ctx, 1, async () => 'second')).toBeNull()
    expect(await withChainLease(ctx, 2, async () => 'of another chain')).not.toBeNull()
    for (const { pid } of await holders()) await owner`select pg_terminate_backend(${pid})`
    await waitFor('the lock to be gone', holders, (rows) => rows.length === 0)
    return 'first'
  })
  expect(held).toEqual({ result: 'first' })
  expect(await withChainLease(ctx, 1, async () => 'next')).toEqual({ result: 'next' })
  await owner.end({ timeout: 1 })
}, 10_000)
