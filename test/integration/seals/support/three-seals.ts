import { expect } from 'vitest'
import { createDatabase } from '../../../../src/db/client.ts'
import { checkSeals, getLedgerHead, type SignedHead } from '../../../../src/domain/books/index.ts'
import { createSealWorld, type SealWorld } from './seal-world.ts'

/** Reads the newest head of the campaign, as the API returns it. */
export const keepHead = async (world: Pick<SealWorld, 'ctx' | 'campaignId'>): Promise<SignedHead> =>
  JSON.parse(JSON.stringify(await getLedgerHead(world.ctx, world.campaignId))) as SignedHead

/** Three seals of a campaign: entries 1 and 2, entry 3, entries 4 and 5. */
export const threeSeals = async () => {
  const world = await createSealWorld()
  const heads: SignedHead[] = []
  for (const names of [['a', 'b'], ['c'], ['d', 'e']]) {
    await world.donate(names)
    await world.seal()
    world.clock.advance(3_600_000)
    heads.push(await keepHead(world))
  }
  const [first, second, third] = heads as [SignedHead, SignedHead, SignedHead]
  expect((await checkSeals(world.ctx.pool, heads)).differences).toEqual([])
  return { ...world, heads: { first, second, third } }
}

/** Runs statements as the database's owner, without triggers and foreign keys. */
export const tamper = async (world: SealWorld, statements: string[]): Promise<void> => {
  const owner = createDatabase({ url: world.url, max: 1, asAppRole: false })
  try {
    await owner.unsafe('set session_replication_role = replica')
    for (const statement of statements) await owner.unsafe(statement)
  } finally {
    await owner.end()
  }
}

/** Restores a table to the rows in `saved`. */
export const restore = (world: SealWorld, table: string): Promise<void> =>
  tamper(world, [
    `delete from ${table}`,
    `insert into ${table} overriding system value select * from saved`,
  ])

/** A change of each column of a seal, and the difference that a check reports. */
export const SEAL_CHANGES = [
  ['seq = 9', 'sequence of seal'],
  ['version = 2', 'version of seal'],
  ['entries = 2', 'number of entries of seal'],
  ['total_entries = 9', 'total of entries of seal'],
  [`root = '0x${'11'.repeat(32)}'`, 'root of seal'],
  [`previous_head = '0x${'11'.repeat(32)}'`, 'previous head of seal'],
  [`head = '0x${'11'.repeat(32)}'`, 'head of seal'],
  [`previous_global_head = '0x${'11'.repeat(32)}'`, 'previous global head of seal'],
  [`global_head = '0x${'11'.repeat(32)}'`, 'global head of seal'],
  ["signature = 'AAAA'", 'signature of seal'],
  ["key_id = 'unknown'", 'signature of seal'],
  ["sealed_at = sealed_at + interval '1 millisecond'", 'head of seal'],
] as const
