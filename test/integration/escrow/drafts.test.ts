import { describe, expect, test } from 'vitest'
import { escrowAddress } from '../../../src/chain/escrow/address.ts'
import { packTerms, unpackTerms } from '../../../src/chain/escrow/terms.ts'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { blockHash, minedAt, txHash } from '../../support/chain-facts.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { campaignBody } from '../http/support/api.ts'
import {
  type CampaignAnswer,
  createPlanningWorld,
  deployFactory,
  type PlanningWorld,
} from './support/planned.ts'

const campaignIn = (body: Record<string, unknown>) => body.campaign as CampaignAnswer

test.skipIf(!hasAnvil)('the account of an escrow never serves a plain campaign', async () => {
  const chain = await startTestChain()
  await deployFactory(chain)
  const world = await createPlanningWorld({ chain })
  const { token } = world.creator
  const { _id, ledger_account } = campaignIn((await world.create()).body)
  await world.ask('PATCH', `/api/campaigns/${_id}`, { token, body: { status: 'cancelled' } })
  const create = (status: string) =>
    world.ask('POST', '/api/campaigns', { token, body: campaignBody({ ledger_account, status }) })
  expect((await create('active')).body).toMatchObject({ code: 'account_in_use' })
  const draft = campaignIn((await create('draft')).body)
  const path = `/api/campaigns/${draft._id}`
  expect(
    (await world.ask('PATCH', path, { token, body: { status: 'active' } })).body,
  ).toMatchObject({ code: 'account_in_use' })
})

test.skipIf(!hasAnvil)(
  'an escrow does not open with an account that a plain campaign has used',
  async () => {
    const chain = await startTestChain()
    await deployFactory(chain)
    const world = await createPlanningWorld({ chain })
    const { token } = world.creator
    const { _id, ledger_account } = campaignIn((await world.create({}, { status: 'draft' })).body)
    const change = async (id: string, body: object) => {
      const answer = await world.ask('PATCH', `/api/campaigns/${id}`, { token, body })
      return [answer.status, answer.body.code]
    }
    const body = campaignBody({ ledger_account })
    const plain = campaignIn((await world.ask('POST', '/api/campaigns', { token, body })).body)
    expect(await change(_id, { status: 'active' })).toEqual([409, 'account_in_use'])
    expect(await change(plain._id, { status: 'completed' })).toEqual([200, undefined])
    expect(await change(_id, { status: 'active' })).toEqual([409, 'account_in_use'])
    expect(await change(_id, { target_amount: 2_000, status: 'active' })).toEqual([200, undefined])
  },
)

/** Stores an event of the escrow of a draft, as the worker finds it on the chain. */
const storeEvent = ({ ctx }: PlanningWorld, campaignId: string) => ctx.sql`
  insert into escrow_event
    (id, chain_id, account, campaign_id, tx_hash, position, kind, fields, block_number, block_hash,
     mined_at)
  select ${newId()}, chain_id, account, id, ${txHash('event')}, 0, 'Failed',
         ${ctx.sql.json({ reason: 'cancelled', pool: '0', total: '0', recorded: '0', reasonHash: '0x' })},
         1, ${blockHash(1)}, ${minedAt(1)}
  from campaign where id = ${campaignId}`

const createDraft = async () => {
  const chain = await startTestChain()
  await deployFactory(chain)
  const world = await createPlanningWorld({ chain })
  const draft = campaignIn((await world.create({}, { status: 'draft' })).body)
  await storeEvent(world, draft._id)
  await world.ctx.sql`update campaign_escrow set code_proven_at = now()`
  const ask = (method: 'PATCH' | 'DELETE', body?: object) =>
    world.ask(method, `/api/campaigns/${draft._id}`, { token: world.creator.token, body })
  return { world, draft, ask }
}

describe.skipIf(!hasAnvil)('a draft whose escrow has events', () => {
  test('leaves them behind with the terms that it changes', async () => {
    const { world, ask } = await createDraft()
    expect((await ask('PATCH', { target_amount: 2_000, status: 'active' })).status).toBe(200)
    expect(await world.ctx.sql`select from escrow_event`).toHaveLength(0)
    expect(await world.ctx.sql`select code_proven_at from campaign_escrow`).toEqual([
      { codeProvenAt: null },
    ])
  })

  test('gets an address with each change that no person could know before', async () => {
    const { world, draft, ask } = await createDraft()
    const changeTo = async (target_amount: number) => {
      const { body } = await ask('PATCH', { target_amount })
      return campaignIn(body).ledger_account
    }
    const expected = { ...unpackTerms(draft.escrow.packed), target: 2_000_000_000n }
    const changed = await changeTo(2_000)
    expect(changed.toLowerCase()).not.toBe(escrowAddress(packTerms(expected)))
    await storeEvent(world, draft._id)
    // Other events of the first address came while the service did not watch it.
    const again = await changeTo(1_000)
    expect([draft.ledger_account, changed]).not.toContain(again)
    expect(await world.ctx.sql`select from escrow_event`).toHaveLength(0)
    expect(await changeTo(1_000)).toBe(again)
  })

  test('can be deleted', async () => {
    const { world, ask } = await createDraft()
    expect((await ask('DELETE')).status).toBe(204)
    expect(await world.ctx.sql`select from campaign_escrow`).toHaveLength(0)
  })
})
