import postgres from 'postgres'
import { expect, onTestFinished, test } from 'vitest'
import { checkVerification, verifyMilestone } from '../../../src/domain/campaigns/index.ts'
import { address } from '../../support/chain-facts.ts'
import { createContext } from '../../support/world.ts'
import { createExplainedPool } from '../database/support/explained-pool.ts'
import { createVerifiedWorld, createVerifier, signWith } from './support/verified-world.ts'

const TRANSFERS = 200_000
/**
 * A limit of 8 kB pages: more than a decision needs, and less than a scan of the transfers reads.
 */
const MOST_PAGES = 1_000

test('a decision reads no transfers while it holds the locks of chain and campaign', async () => {
  const world = await createVerifiedWorld({ milestones: ['30'] })
  await world.give(100n)
  const verifier = await createVerifier(world, 1)
  const owner = postgres(world.url, { max: 1, onnotice: () => {} })
  onTestFinished(() => owner.end({ timeout: 1 }))
  await owner`
    insert into chain_transfer (id, chain_id, tx_hash, position, asset_id, sender, recipient,
                                amount, block_number, block_hash, mined_at, seen_at)
    select gen_random_uuid(), chain_id, bytes_of('0x' || lpad(to_hex(number), 64, '0')), 0, asset_id, sender,
           bytes_of(${address('campaign')}), 1, block_number, block_hash, mined_at, seen_at
    from (select * from chain_transfer limit 1) one, generate_series(1, ${TRANSFERS}) as number`
  await owner`analyze`
  const { pool, ran } = createExplainedPool(world.url)
  onTestFinished(() => pool.end({ timeout: 1 }))
  const as = (await createContext(pool)).as(verifier)
  const signature = await signWith(verifier.key)(await world.typedData())
  const checked = await checkVerification(as, world.input(signature))
  const pagesOf = () => Math.max(...ran.map(({ pages }) => pages))
  expect(pagesOf()).toBeGreaterThan(MOST_PAGES)
  ran.length = 0
  const { milestone } = await verifyMilestone(as, checked)
  expect(milestone.status).toBe('released')
  expect(ran.length).toBeGreaterThan(10)
  expect(ran.length).toBeLessThan(60)
  expect(pagesOf()).toBeLessThan(MOST_PAGES)
})
