import { describe, expect, test } from 'vitest'
import { hasAnvil } from '../support/test-chain.ts'
import { run, type Summary } from './run.ts'

/** `npm run simulate` sets these variables. Without them, only a few seeds run. */
const FROM = Number(process.env.SIMULATE_FROM ?? '1')
const SEEDS = Number(process.env.SIMULATE_SEEDS ?? '5')
const seeds = Array.from({ length: SEEDS }, (_, index) => FROM + index)
const summaries = new Map<number, Summary>()

describe.skipIf(!hasAnvil)(
  'a simulated run of donors, reorganisations, lying nodes and kills',
  () => {
    test.each(seeds)(
      'seed %i credits every cent that the chain moved, once, and nothing else',
      async (seed) => {
        summaries.set(seed, await run(seed))
      },
      300_000,
    )

    test.skipIf(process.env.SIMULATE_SEEDS !== undefined)(
      'replays a seed exactly',
      async () => {
        expect(await run(FROM)).toEqual(summaries.get(FROM) ?? (await run(FROM)))
      },
      300_000,
    )
  },
)
