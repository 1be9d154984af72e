import { expect, test } from 'vitest'
import { useCheckedWorld } from './support/checked-world.ts'

const copy = useCheckedWorld()

test('finds nothing where nothing was changed, in every state that money can be in', async () => {
  const { found, ctx } = await copy()
  const donations = await ctx.sql<{ status: string; count: number }[]>`
    select status, count(*)::int as count from donation group by status order by status`
  expect(donations.map(({ status, count }) => `${count} ${status}`)).toEqual([
    '9 completed',
    '1 confirming',
    '2 failed',
    '1 pending',
    '1 reversed',
  ])
  expect(await found()).toEqual([])
})
