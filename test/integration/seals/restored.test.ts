import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { run as admin } from '../../../src/commands/admin.ts'
import { createDatabase } from '../../../src/db/client.ts'
import type { Context } from '../../../src/db/context.ts'
import { loadSigningKeys } from '../../../src/domain/account/index.ts'
import { checkSeals, listLostHeads, listSealKeys } from '../../../src/domain/books/index.ts'
import { createCollectors } from '../../../src/domain/service/index.ts'
import { createSealLedgerJob } from '../../../worker/jobs/seal-ledger.ts'
import { address, applyBlock, txHash } from '../../support/chain-facts.ts'
import { runCommand } from '../../support/command.ts'
import { finalise } from '../../support/finalise.ts'
import { halfEnvironment, startHalf } from '../../support/halves.ts'
import { newFolder } from '../../support/new-folder.ts'
import { recordGift } from '../../support/recorded-gift.ts'
import { createUser } from '../../support/world.ts'
import { check, fileWith } from './support/check-command.ts'
import { copyNow } from './support/older-copy.ts'
import { createSealWorld, type SealWorld } from './support/seal-world.ts'
import { keepHead } from './support/three-seals.ts'

const NO_NODE = 'http://127.0.0.1:9'

const sealIn = (ctx: Context, folder: string) => createSealLedgerJob(ctx, folder).run()
const countSeals = async ({ sql }: Context) =>
  (await sql<{ count: number }[]>`select count(*)::int as count from ledger_seal`)[0]?.count

/** A service, a copy of its database that is one seal older, and the newest head, `kept`. */
const restoredWorld = async () => {
  const world = await createSealWorld()
  await loadSigningKeys(world.ctx)
  await world.donate(['a'])
  await world.seal()
  const older = await copyNow(world.url, world.clock)
  world.clock.advance(60_000)
  await world.donate(['b'])
  await world.seal()
  const kept = await keepHead(world)
  world.clock.advance(60_000)
  return { world, older, kept }
}

const confirm = (url: string, ...words: string[]) =>
  runCommand(admin, ['restored', ...words], halfEnvironment({ databaseUrl: url, rpcUrl: NO_NODE }))

test('signs no second head with a number that it has signed, after an older copy was restored', async () => {
  const { world, older } = await restoredWorld()
  const lines: Record<string, unknown>[] = []
  const log = pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const job = createSealLedgerJob({ ...older.ctx, log }, world.folder)
  await world.writeEntry(older.ctx.sql)
  await job.run()
  await job.run()
  // A worker on a new machine has no file, and learns of the restore from the database.
  await sealIn(older.ctx, newFolder())
  expect(await countSeals(older.ctx)).toBe(1)
  expect(lines).toMatchObject([
    { level: 50, campaignId: world.campaignId, seq: 2, msg: expect.stringMatching(/restored/) },
  ])
  const sealing = createCollectors(older.ctx).find(({ name }) => name === 'sealing')
  expect(await sealing?.read()).toContainEqual(['fundproof_ledger_restored', {}, 1])
  const api = await startHalf('api', { databaseUrl: older.url, rpcUrl: NO_NODE })
  const ready = await fetch(`http://127.0.0.1:${api.port}/readyz`)
  expect(ready.status).toBe(200)
  expect(await ready.json()).toMatchObject({
    checks: { seals: { ok: true, note: expect.stringMatching(/^restored: nothing is signed/) } },
  })
})

test('signs again with a new key that names the lost head, once the operator has confirmed', async () => {
  const { world, older, kept } = await restoredWorld()
  await world.writeEntry(older.ctx.sql)
  await sealIn(older.ctx, world.folder)
  const confirmed = await confirm(older.url)
  expect(confirmed).toMatchObject({ code: 0, errors: '' })
  expect(confirmed.out).toContain(`The newest lost head is 2 of campaign ${world.campaignId}`)
  await sealIn(older.ctx, world.folder)
  await sealIn(older.ctx, newFolder())
  const [key, old] = await listSealKeys(older.ctx)
  expect(await keepHead({ ...world, ctx: older.ctx })).toMatchObject({ seq: 2, keyId: key?.kid })
  expect(kept.keyId).toBe(old?.kid)
  expect((await checkSeals(older.ctx.pool)).differences).toEqual([])

  const api = await startHalf('api', { databaseUrl: older.url, rpcUrl: NO_NODE })
  const jwks = await fetch(`http://127.0.0.1:${api.port}/.well-known/jwks.json`)
  const { seq, head, globalHead, keyId, campaignId, sealedAt } = kept
  expect(((await jwks.json()) as { keys: unknown[] }).keys).toContainEqual({
    ...{ ...key, use: 'sig', alg: 'EdDSA' },
    lostHead: { seq, head, globalHead, keyId, campaignId, sealedAt },
  })
  const found = await check(older.url, '--head', fileWith(JSON.stringify(kept)))
  expect(found.code).toBe(1)
  expect(found.out).toContain(`remembered head of campaign ${campaignId} 2`)
  expect(found.out).toContain(`The newest lost head: 2 of campaign ${campaignId}`)
})

test('notices the next restore too, although the numbers were signed before', async () => {
  const { world, older } = await restoredWorld()
  await sealIn(older.ctx, world.folder)
  expect(await confirm(older.url)).toMatchObject({ code: 0 })
  const copy = await copyNow(older.url, world.clock)
  await world.writeEntry(older.ctx.sql)
  world.clock.advance(60_000)
  await sealIn(older.ctx, world.folder)
  await world.writeEntry(copy.ctx.sql)
  await sealIn(copy.ctx, world.folder)
  expect(await countSeals(copy.ctx)).toBe(1)
  world.clock.advance(60_000)
  expect(await confirm(copy.url)).toMatchObject({ code: 0 })
  const [newest, oldest] = await listLostHeads(copy.ctx)
  expect([newest?.seq, oldest?.seq]).toEqual([2, 2])
  expect(newest?.head).not.toBe(oldest?.head)
})

test('workers with different files name the newest head, and a worker that was suspended goes on', async () => {
  const { world, older } = await restoredWorld()
  const [ahead, asleep] = [newFolder(), newFolder()]
  await sealIn(world.ctx, asleep)
  world.clock.advance(60_000)
  await world.donate(['c'])
  await sealIn(world.ctx, ahead)
  await world.writeEntry(older.ctx.sql)
  await sealIn(older.ctx, world.folder)
  await sealIn(older.ctx, ahead)
  world.clock.advance(60_000)
  expect((await confirm(older.url)).out).toContain('The newest lost head is 3')
  for (const folder of [asleep, ahead, world.folder]) {
    await world.writeEntry(older.ctx.sql)
    await sealIn(older.ctx, folder)
  }
  expect(await countSeals(older.ctx)).toBe(4)
})

test('notices an older copy that has no seal, and a failover that lost only the newest seal', async () => {
  const world = await createSealWorld()
  await loadSigningKeys(world.ctx)
  const empty = await copyNow(world.url, world.clock)
  await world.donate(['a'])
  const unsealed = await copyNow(world.url, world.clock)
  await world.seal()
  for (const { ctx } of [empty, unsealed]) {
    await sealIn(ctx, world.folder)
    expect(await countSeals(ctx)).toBe(0)
    expect(await ctx.sql`select seq from lost_head`).toEqual([{ seq: 1 }])
  }
})

test('learns the newest head from the database without a file, and from other workers', async () => {
  const { world, older } = await restoredWorld()
  world.forgetHead()
  await world.seal()
  await sealIn(older.ctx, world.folder)
  expect(await older.ctx.sql`select seq from lost_head`).toEqual([{ seq: 2 }])
})

test('keeps a file for each database in one folder', async () => {
  const [one, other] = [await createSealWorld(), await createSealWorld()]
  const folder = newFolder()
  for (const { ctx, donate } of [one, other]) {
    await loadSigningKeys(ctx)
    await donate(['a'])
    await sealIn(ctx, folder)
  }
  await one.donate(['b'])
  await sealIn(one.ctx, folder)
  expect(await countSeals(one.ctx)).toBe(2)
  expect(readdirSync(folder)).toHaveLength(2)
})

/** Makes each commit of a seal fail until the returned function is called. */
const failCommits = async ({ url }: SealWorld): Promise<() => Promise<void>> => {
  const owner = createDatabase({ url, max: 1, asAppRole: false })
  await owner.unsafe(`
    create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'refused at the commit'; end $$;
    create constraint trigger refuse after insert on ledger_seal
      deferrable initially deferred for each row execute function refuse();`)
  return async () => {
    await owner.unsafe('drop trigger refuse on ledger_seal; drop function refuse')
    await owner.end()
  }
}

test('a head whose commit failed after it was written was never signed', async () => {
  const world = await createSealWorld()
  for (const name of ['a', 'b']) {
    await world.donate([name])
    const allow = await failCommits(world)
    await expect(world.seal()).rejects.toThrow('refused at the commit')
    await allow()
    world.clock.advance(1_000)
    await world.seal()
  }
  expect(await world.ctx.sql`select from lost_head`).toHaveLength(0)
  expect(await checkSeals(world.ctx.pool)).toMatchObject({ seals: 2, sealed: 2, differences: [] })
})

test('a head whose worker stopped after the commit is lost, although the file does not know of the commit', async () => {
  const { world, older, kept } = await restoredWorld()
  const before = await keepHead({ ...world, ctx: older.ctx })
  const [name = ''] = readdirSync(world.folder)
  // The database that was restored does not contain this intent.
  const file = { ...kept, intent: randomUUID(), before }
  writeFileSync(join(world.folder, name), JSON.stringify(file))
  await sealIn(older.ctx, world.folder)
  expect(await older.ctx.sql`select seq from lost_head`).toEqual([{ seq: 2 }])
})

test('credits payments of the lost time whose donations are in the backup, and books the others', async () => {
  const world = await createSealWorld()
  const as = world.as(await createUser(world.ctx))
  const payment = { hash: txHash('a'), from: address('campaign') }
  const id = await recordGift(as, world.campaignId, payment, '10')
  const older = await copyNow(world.url, world.clock)
  for (const { ctx } of [world, older]) {
    await applyBlock(ctx, 1, [
      { tx: 'a', to: address('campaign'), usdc: 10_000_000n },
      { tx: 'lost', to: address('campaign'), usdc: 5_000_000n },
    ])
    await finalise(ctx, 1)
  }
  expect(await older.ctx.sql`select id, status from donation`).toEqual([
    { id, status: 'completed' },
  ])
  expect(await older.ctx.sql`select kind, amount from ledger_entry order by kind`).toEqual([
    { kind: 'deposit', amount: '5000000' },
    { kind: 'donation', amount: '10000000' },
  ])
})

test('signs nothing while the file cannot be written or read', async () => {
  const world = await createSealWorld()
  await world.donate(['a'])
  const draft = join(world.folder, `signed-head-new.json.${process.pid}`)
  mkdirSync(draft)
  await expect(world.seal()).rejects.toThrow(
    /cannot be written, so nothing is signed: see DATA_DIR/,
  )
  // A full disk may last for days, so no pass may leave a row behind.
  expect(await world.ctx.sql`select from seal_intent`).toHaveLength(0)
  expect(await countSeals(world.ctx)).toBe(0)
  rmdirSync(draft)
  await world.seal()
  await world.donate(['b'])
  const [name = ''] = readdirSync(world.folder)
  writeFileSync(join(world.folder, name), '{')
  await expect(world.seal()).rejects.toThrow(/cannot be read, so nothing is signed/)
  expect(await countSeals(world.ctx)).toBe(1)
})

test('takes a kept head from the operator if no worker has kept one, and no head of the ledger', async () => {
  const { older, kept } = await restoredWorld()
  expect(await confirm(older.url)).toMatchObject({
    code: 1,
    errors: expect.stringContaining('No worker has noticed'),
  })
  const mine = await keepHead({ ...older, campaignId: kept.campaignId })
  expect((await confirm(older.url, fileWith(JSON.stringify(mine)))).errors).toContain(
    'This ledger has the head',
  )
  expect(await listSealKeys(older.ctx)).toHaveLength(1)
  const confirmed = await confirm(older.url, fileWith(JSON.stringify(kept)))
  expect(confirmed.out).toContain(`The newest lost head is 2 of campaign ${kept.campaignId}`)
  expect(await confirm(older.url, 'none')).toMatchObject({ code: 0 })
  expect(await listSealKeys(older.ctx)).toHaveLength(3)
})
