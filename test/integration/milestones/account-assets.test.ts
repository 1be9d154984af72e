import { expect, test } from 'vitest'
import { saveBalances } from '../../../src/domain/blocks/index.ts'
import { getVerification } from '../../../src/domain/campaigns/index.ts'
import { address, blockHash, CHAIN_ID, ETH_ASSET, USDC_ASSET } from '../../support/chain-facts.ts'
import { createVerifiedWorld, createVerifier } from './support/verified-world.ts'

/** A campaign with gifts of 65 and 10 USDC. `hold` sets the balance of its account. */
const setUp = async () => {
  const world = await createVerifiedWorld()
  const verifier = await createVerifier(world, 1)
  await world.give(65n)
  await world.give(10n)
  const hold = (balance: bigint, blockNumber: number, assetId = USDC_ASSET) =>
    saveBalances(world.ctx, CHAIN_ID, [
      {
        ...{ account: address('campaign'), assetId, balance, nonce: null },
        ...{ blockNumber, blockHash: blockHash(blockNumber) },
      },
    ])
  const assets = async () => {
    const said = { status: 'completed' as const, evidence: undefined }
    return (await getVerification(world.ctx, world.milestoneIds[0] ?? '', said)).milestone.assets
  }
  return { world, verifier, hold, assets }
}

const USDC = { asset: USDC_ASSET, symbol: 'USDC' }

test('a verification shows what the account holds, what was released, and what has left it beyond that', async () => {
  const { world, verifier, hold, assets } = await setUp()
  const unknown = { balance: null, balanceBlock: null, missing: null }
  expect(await assets()).toEqual([{ ...USDC, ...unknown, released: '0' }])
  await hold(75_000_000n, 2)
  expect(await assets()).toEqual([
    { ...USDC, balance: '75', balanceBlock: 2, released: '0', missing: '0' },
  ])
  // The creator withdraws 50. The verifiers see the missing amount, and then release 30.
  await world.give(1n)
  await hold(26_000_000n, 3)
  expect(await assets()).toMatchObject([{ balance: '26', released: '0', missing: '50' }])
  const { milestone } = await world.decide(verifier)
  expect(milestone.status).toBe('released')
  expect(milestone.assets).toEqual([
    { ...USDC, balance: '26', balanceBlock: 3, released: '30', missing: '20' },
  ])
})

test('later gifts and money of strangers do not count as missing', async () => {
  const { hold, assets } = await setUp()
  await hold(65_000_000n, 1)
  expect(await assets()).toMatchObject([{ balance: '65', balanceBlock: 1, missing: '0' }])
  await hold(500_000_000n, 2)
  expect(await assets()).toMatchObject([{ balance: '500', missing: '0' }])
})

test('each asset of the account is shown; a release is of the campaign’s currency only', async () => {
  const { hold, assets } = await setUp()
  await hold(7n, 2, ETH_ASSET)
  expect(await assets()).toMatchObject([
    { symbol: 'USDC', balance: null, released: '0' },
    { symbol: 'ETH', balance: '0.000000000000000007', released: null, missing: '0' },
  ])
})
