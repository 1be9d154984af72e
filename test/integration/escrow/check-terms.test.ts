import { expect, test } from 'vitest'
import { checkLedger } from '../../../src/domain/books/index.ts'
import { address } from '../../support/chain-facts.ts'
import { createEscrowWorld } from './support/escrow-world.ts'

const check = async ({ ctx, campaignId }: Awaited<ReturnType<typeof createEscrowWorld>>) => {
  const { differences } = await checkLedger(ctx.pool, ctx.clock)
  return differences.filter(({ id }) => id === campaignId).map(({ what }) => what)
}

test('the check finds nothing in a campaign that agrees with the terms of its escrow', async () => {
  expect(await check(await createEscrowWorld())).toEqual([])
})

test.each([
  ['account', `update campaign set account = bytes_of('${address('thief')}')`],
  ['target', 'update campaign set target_amount = target_amount + 1'],
  ['currency', "update asset set address = '0x' || repeat('12', 20) where address is not null"],
  ['milestone amounts', 'update milestone set amount = amount + 1 where position = 1'],
  ['terms', "update campaign_escrow set terms = '0x12'"],
  ['terms', "update campaign_escrow set terms = 'none'"],
  // The last byte is the number of signatures that the last milestone needs.
  ['account', "update campaign_escrow set terms = left(terms, -2) || '03'"],
])(
  'the check finds that "%s" of a campaign is not as its escrow has it (%s)',
  async (what, change) => {
    const world = await createEscrowWorld()
    await world.ctx.sql.unsafe(change)
    expect(await check(world)).toContain(`${what} of campaign`)
  },
)
