import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../../src/db/client.ts'
import type { SignedHead } from '../../../src/domain/books/index.ts'
import { check, fileWith, lastLine } from './support/check-command.ts'
import { createSealWorld } from './support/seal-world.ts'
import { keepHead, tamper, threeSeals } from './support/three-seals.ts'

const since = (url: string, head: SignedHead) =>
  check(url, '--since', fileWith(JSON.stringify(head, null, 2)))

const NO_DATABASE = 'postgres://127.0.0.1:1/none'

test('npm run check --since checks from a kept head on, names its key, and says last what it did not check', async () => {
  const world = await threeSeals()
  await world.donate(['f'])
  const { second } = world.heads
  const { code, out } = await since(world.url, second)
  expect([code, out.trimEnd().split('\n')]).toEqual([
    0,
    [
      `Head 2 of campaign ${world.campaignId}, signed by the key ${second.keyId}, is the head of seal 2 of all campaigns.`,
      '2 seals from this one on, 4 ledger entries, 1 of them not sealed yet: all agree.',
      expect.stringMatching(/^Not checked: /),
    ],
  ])
  const { out: fromFirst } = await since(world.url, world.heads.first)
  expect(lastLine(fromFirst)).toMatch(/^Not checked: entries without a seal up to id 2;/)
})

test('npm run check --since finds a change after the head; of one before it, the last line says that it was not checked', async () => {
  const world = await threeSeals()
  await tamper(world, ['update ledger_entry set amount = amount + 1 where id = 3'])
  const { second, third } = world.heads
  const after = await since(world.url, second)
  expect([after.code, after.out]).toEqual([1, expect.stringMatching(/^sealed entry 3: stored /)])
  const before = await since(world.url, third)
  expect(before.code).toBe(0)
  expect(lastLine(before.out)).toBe(
    'Not checked: the seals before seal 3 of all campaigns, and the entries in them; ' +
      'entries without a seal up to id 5; ' +
      'donations, transfers and milestones that no newer entry names; totals of campaigns; ' +
      'the status of campaigns and milestones; escrows; events; the chain. ' +
      'Without --since npm run check compares all of this except the chain; npm run reconcile compares the chain.',
  )
  expect((await check(world.url)).code).toBe(1)
})

test('npm run check --since finds a ledger that was rewritten and sealed again with its real key', async () => {
  const world = await threeSeals()
  await tamper(world, [
    "update ledger_entry set created_at = created_at + interval '1 millisecond' where id = 1",
    'delete from sealed_entry',
    'delete from ledger_seal',
    'delete from donation_proof',
    "select setval('ledger_seal_id_seq', 1, false)",
  ])
  world.forgetHead()
  await world.seal()
  const newest = await keepHead(world)
  expect(newest.keyId).toBe(world.heads.first.keyId)
  expect((await check(world.url)).code).toBe(0)
  expect((await since(world.url, newest)).code).toBe(0)
  for (const kept of [world.heads.first, world.heads.third]) {
    const { code, out } = await since(world.url, kept)
    expect(code).toBe(1)
    expect(out).toContain(`remembered head of campaign ${kept.campaignId} ${kept.seq}: stored `)
    expect(out).toContain('the ledger was rewritten or cut off before this head')
    expect(lastLine(out)).toBe('Not checked: everything else.')
  }
})

test('npm run check --since finds that the ledger ends before the head', async () => {
  const world = await createSealWorld()
  await world.donate(['a'])
  await world.seal()
  const owner = createDatabase({ url: world.url, max: 1, asAppRole: false })
  onTestFinished(() => owner.end())
  await owner`create table saved as table ledger_seal`
  await world.donate(['b'])
  await world.seal()
  const ahead = await keepHead(world)
  await tamper(world, [
    'delete from ledger_seal',
    'insert into ledger_seal overriding system value table saved',
  ])
  const { code, out } = await since(world.url, ahead)
  expect([code, out]).toEqual([
    1,
    expect.stringContaining(
      `remembered head of campaign ${world.campaignId} 2: stored gone, recomputed ${ahead.head}`,
    ),
  ])
})

test('npm run check --since refuses a head that no key of the database has signed', async () => {
  const world = await threeSeals()
  const { first, second } = world.heads
  const notSigned = /The signature of the head is not valid under the key /
  for (const changed of [
    { ...first, seq: 2 },
    { ...first, head: second.head },
    { ...first, globalHead: second.globalHead },
    { ...first, signature: second.signature },
    { ...first, signature: '' },
    { ...first, campaignId: '01a3185c-5000-70ec-908f-9fa39c8eaace' },
  ]) {
    const { code, out } = await since(world.url, changed)
    expect([code, out]).toEqual([2, expect.stringMatching(notSigned)])
  }
  const other = await threeSeals()
  const foreign = await since(world.url, other.heads.first)
  expect(foreign.code).toBe(2)
  expect(foreign.out).toContain(
    `The head names the key ${other.heads.first.keyId}, which this database does not have. The head belongs to another deployment or network,`,
  )
  // Replaces the stored key by another key with the same id.
  await tamper(world, [
    `update seal_key set public_jwk = '{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}'`,
  ])
  const replaced = await since(world.url, first)
  expect([replaced.code, replaced.out]).toEqual([
    2,
    expect.stringContaining('or the keys of this database were replaced'),
  ])
})

test.each([
  ['nothing', '', 'This is not JSON.'],
  ['text', 'campaign:1:0x', 'This is not JSON.'],
  ['a list', '[]', 'This is not a signed head ('],
  ['another object', '{"seq": 1}', 'This is not a signed head (campaignId: '],
  [
    'a head without its signature',
    `{"campaignId":"01a3185c-5000-70ec-908f-9fa39c8eaace","seq":1,"head":"0x${'11'.repeat(32)}"}`,
    'Keep the unchanged answer of GET /api/campaigns/<id>/ledger/head.',
  ],
])('npm run check --since refuses a file that holds %s', async (_what, text, message) => {
  const file = fileWith(text)
  const { code, out } = await check(NO_DATABASE, '--since', file)
  expect([code, out]).toEqual([2, expect.stringContaining(message)])
  expect(out).toContain(`--since ${file}: `)
})

test.each([
  [['--since', '/no/such/head.json'], '/no/such/head.json could not be read: ENOENT'],
  [['--since', 'a.json', '--since', 'b.json'], '--since takes one head.'],
  [
    ['--head', '/no/such/head.json'],
    'A remembered head must be a file with the JSON of a head, or ',
  ],
])('npm run check refuses %j', async (args, message) => {
  const { code, out } = await check(NO_DATABASE, ...args)
  expect([code, out]).toEqual([2, expect.stringContaining(message)])
})

test.each([
  [['--since'], "Option '--since <value>' argument missing"],
  [['--sinec', 'head.json'], "Unknown option '--sinec'"],
  [['head.json'], "Unexpected argument 'head.json'"],
])('npm run check refuses %j and names its options', async (args, message) => {
  const { code, out } = await check(NO_DATABASE, ...args)
  expect([code, out]).toEqual([2, expect.stringContaining(message)])
  expect(out).toContain('\nnpm run check -- [options]\n  --head <head> ')
})

test('npm run check --help names every option', async () => {
  const { code, out } = await check(NO_DATABASE, '--help')
  expect(code).toBe(0)
  for (const option of ['--head', '--since', '--jobs', '--resume', '--help'])
    expect(out).toContain(`\n  ${option} `)
})
