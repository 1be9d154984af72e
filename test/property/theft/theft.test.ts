import { expect, test } from 'vitest'
import { matchLateDonations } from '../../../src/domain/blocks/index.ts'
import { CHAIN_ID, txHash } from '../../support/chain-facts.ts'
import { isFull } from '../../support/full.ts'
import { createRandom } from '../../support/random.ts'
import { claimOwn, createPayer, type Payer } from './payers.ts'
import { createThief } from './thief.ts'
import { createTheftWorld } from './world.ts'

const FROM = Number(process.env.THEFT_FROM ?? '1')
const RUNS = Number(process.env.THEFT_RUNS ?? (isFull ? '2000' : '10'))
const STEPS = 60

const run = async (seed: number): Promise<void> => {
  const random = createRandom(seed)
  const world = await createTheftWorld()
  const payers: Payer[] = []
  for (let index = 0; index < 6; index++) payers.push(await createPayer(world, random, index))
  const thieves = [
    createThief(world, random, await world.user(), payers),
    createThief(world, random, { kind: 'anonymous' }, payers),
  ]
  for (let step = 0; step < STEPS || payers.some(({ steps }) => steps.length > 0); step++) {
    const next = random.next()
    if (next < 0.3) await random.pick(payers).steps.shift()?.()
    else if (next < 0.7) await random.pick(thieves).act()
    else if (next < 0.82) await world.mine(() => random.chance(0.7))
    else if (next < 0.88) await world.fork(random.int(1, 3))
    else if (next < 0.94) await world.finalise(random.int(0, 2))
    else await matchLateDonations(world.ctx, CHAIN_ID)
  }
  const settle = async () => {
    await matchLateDonations(world.ctx, CHAIN_ID)
    await world.finalise()
  }
  await world.mine(() => true)
  await settle()
  for (const thief of thieves) await thief.insist()

  const before = await world.holders()
  for (const { isSure, own, payment, road } of payers) {
    if (isSure) expect(before.get(txHash(payment?.tx ?? ''))?.id, road).toBe(own?.id)
  }
  for (const payer of payers) await claimOwn(world, payer)
  await settle()
  for (const thief of thieves) await thief.insist()
  const after = await world.holders()
  for (const { payment, user, road } of payers) {
    expect(after.get(txHash(payment?.tx ?? ''))?.userId, road).toBe(user.userId)
  }
  expect(await world.differences()).toEqual([])
}

test.each(Array.from({ length: RUNS }, (_, index) => FROM + index))(
  'no payment ends with a thief, and each honest payer has their own (seed %i)',
  run,
)
