import { describe, expect, test } from 'vitest'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { createPlanningWorld, deployFactory } from '../escrow/support/planned.ts'

const FUNDED = { target_amount: 300, milestones: [{ description: 'Dig', amount: 300 }] }

describe.skipIf(!hasAnvil)('a chain without the Cancun fork', () => {
  test('has no new campaign with an escrow, and opens no draft with one', async () => {
    const old = await startTestChain({ hardfork: 'shanghai' })
    await deployFactory(old)
    const world = await createPlanningWorld({ chain: old })
    const refusal = { status: 409, body: { code: 'escrow_unsupported' } }
    for (const status of ['active', 'draft']) {
      const refused = await world.create({}, { ...FUNDED, status })
      expect(refused).toMatchObject(refusal)
      expect(refused.body.error).toContain('needs the Cancun fork')
    }

    // Creates a draft while the nodes cannot simulate, as before nodes were asked for the fork.
    const { token } = world.creator
    const { simulate } = world.ctx.contracts
    world.ctx.contracts.simulate = async () => null
    const draft = await world.create({}, { ...FUNDED, status: 'draft' })
    expect(draft.status).toBe(201)
    world.ctx.contracts.simulate = simulate
    const { _id: id } = draft.body.campaign as { _id: string }
    const open = () =>
      world.ask('PATCH', `/api/campaigns/${id}`, { token, body: { status: 'active' } })
    expect(await open()).toMatchObject(refusal)
  })

  test('is distinguished from a chain with it, and a node that cannot simulate refuses no campaign', async () => {
    const chain = await startTestChain()
    await deployFactory(chain)
    const world = await createPlanningWorld({ chain })
    expect((await world.create({}, FUNDED)).status).toBe(201)
    const blind = await createPlanningWorld({ chain })
    blind.ctx.contracts.simulate = async () => null
    expect((await blind.create({}, FUNDED)).status).toBe(201)
  })
})
