import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../../src/db/client.ts'
import { getLedgerHead } from '../../../src/domain/books/index.ts'
import { startProgram } from '../../support/program.ts'
import { check, fileWith, lastLine } from './support/check-command.ts'
import { createSealWorld } from './support/seal-world.ts'

test('npm run check names what was tampered with, and what was cut off by a head that was kept', async () => {
  const world = await createSealWorld()
  await world.donate(['a', 'b'])
  await world.seal()
  await world.donate(['c'])
  await world.seal()
  const kept = await getLedgerHead(world.ctx, world.campaignId)
  const file = fileWith(JSON.stringify(kept))
  const inline = `${kept.campaignId}:${kept.seq}:${kept.head}`

  const clean = await check(world.url, '--head', file, '--head', inline)
  expect([clean.code, clean.out]).toEqual([0, expect.stringContaining('every seal agrees')])
  expect(lastLine(clean.out)).toMatch(/compare payments with the chain.*npm run reconcile/)

  const owner = createDatabase({ url: world.url, max: 1, asAppRole: false })
  onTestFinished(() => owner.end())
  await owner`set session_replication_role = replica`
  await owner`update ledger_entry set created_at = created_at + interval '1 second' where id = 1`
  const changed = await check(world.url)
  expect([changed.code, changed.out]).toEqual([1, expect.stringContaining('sealed entry 1:')])

  await owner`update ledger_entry set created_at = created_at - interval '1 second' where id = 1`
  await owner`delete from ledger_entry where id = 3`
  await owner`delete from sealed_entry where entry_id = 3`
  await owner`delete from ledger_seal where seq = 2`
  await owner`select setval('ledger_seal_id_seq', 1)`
  const cut = await check(world.url, '--head', inline)
  expect([cut.code, cut.out]).toEqual([
    1,
    expect.stringContaining(`remembered head of campaign ${world.campaignId} 2: stored gone`),
  ])
  expect((await check(world.url, '--head', 'nonsense')).code).toBe(2)
})

test('npm run check names in one line each what was changed by hand, with its id and both values', async () => {
  const world = await createSealWorld()
  const [id] = await world.donate(['a'])
  await world.seal()
  await world.ctx.sql`update donation set confirmed_amount = 1, block_number = 7`
  const { code, out } = await startProgram('src/commands/check.ts', { DATABASE_URL: world.url })
    .ended
  expect(code).toBe(1)
  expect(out.split('\n').slice(0, 3)).toEqual([
    `block number of donation ${id}: stored 7, recomputed 1`,
    `amount of donation ${id}: stored 1, recomputed 10000000`,
    '1 campaigns, 1 ledger entries, 0 of them not sealed yet: 2 differ.',
  ])
})
