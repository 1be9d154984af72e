import { describe, expect, test } from 'vitest'
import { escrowAddress, escrowCodeHash, FACTORY } from '../../../src/escrow/address.ts'
import { unpackTerms } from '../../../src/escrow/terms.ts'
import { toChecksumAddress } from '../../../src/kernel/formats/address.ts'
import { startChain } from '../../support/chain-facts.ts'
import { linkWallet } from '../../support/linked-wallet.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { keyOf } from '../../support/test-wallets.ts'
import { TEST_CHAIN, TOKEN } from '../../support/world.ts'
import { campaignBody } from '../http/support/api.ts'
import { createVerifier } from '../milestones/support/verified-world.ts'
import {
  type CampaignAnswer,
  createPlanningWorld,
  deployFactory,
  type PlanningWorld,
  startFactoryChain,
} from './support/planned.ts'

const campaignIn = (body: Record<string, unknown>) => body.campaign as CampaignAnswer
const GAS = 1_000_000n

describe.skipIf(!hasAnvil)('a campaign with an escrow', () => {
  test('has the address of its terms before the contract is there, and the contract has it later', async () => {
    const chain = await startFactoryChain()
    const world = await createPlanningWorld({ chain })
    const created = await world.create()
    expect(created.status).toBe(201)
    const campaign = campaignIn(created.body)
    const { packed, deployment } = campaign.escrow
    const account = campaign.ledger_account.toLowerCase()
    expect(campaign).toMatchObject({
      status: 'active',
      account_proven: true,
      ledger_account: toChecksumAddress(escrowAddress(packed as `0x${string}`)),
      escrow: {
        recipient: world.recipient,
        asset: toChecksumAddress(TOKEN),
        quorum: 2,
        surplus: 'donors',
        milestones: [{ amount: 1_000, required: 1 }],
        factory: toChecksumAddress(FACTORY),
        deployed: false,
      },
    })
    expect(unpackTerms(packed).verifiers).toHaveLength(3)
    const read = await world.ask('GET', `/v1/campaigns/${campaign._id}`)
    expect(read.body.escrow).toEqual(campaign.escrow)

    await chain.send(await chain.signToken(4, account, 25_000_000n))
    await chain.mine()
    const { to, data } = deployment
    await chain.send(await chain.sign(5, { to, data, gasLimit: GAS }))
    await chain.mine()
    const { codeHash } = await chain.call<{ codeHash: string }>('eth_getProof', [
      account,
      [],
      'latest',
    ])
    expect(codeHash).toBe(escrowCodeHash(packed as `0x${string}`))
    // The service has not read the block of the deployment yet, so it asks the node.
    expect(await world.ask('GET', `/api/campaigns/${campaign._id}/escrow`)).toMatchObject({
      status: 200,
      body: { deployed: true, transactions: [{ action: 'cancel' }] },
    })
  })

  test('shows its terms, its state and the transactions that can be sent now', async () => {
    const chain = await startFactoryChain()
    const world = await createPlanningWorld({ chain })
    const { _id: id, ledger_account } = campaignIn((await world.create()).body)
    const before = await world.ask('GET', `/api/campaigns/${id}/escrow`)
    expect(before.status).toBe(200)
    expect(before.body).toMatchObject({
      campaignId: id,
      chainId: 31_337,
      account: ledger_account,
      currency: 'USDC',
      state: 'funding',
      reason: null,
      balance: null,
      released: 0,
      refunded: 0,
      pool: null,
      releasedMilestones: [],
      rounds: [0],
      deployed: false,
      codeProvenAt: null,
    })
    const actions = (body: Record<string, unknown>) =>
      (body.transactions as { action: string }[]).map(({ action }) => action)
    expect(actions(before.body)).toEqual(['deploy', 'cancel'])

    await chain.send(await chain.signToken(4, ledger_account, 1_000_000_000n))
    await chain.mine()
    const paid = await world.ask('GET', `/api/campaigns/${id}/escrow`)
    expect(actions(paid.body)).toEqual(['deploy', 'activate', 'cancel'])
    expect(paid.body.transactions).toMatchObject([
      { simulated: { ok: true } },
      { sendCalls: { calls: [{ to: toChecksumAddress(FACTORY) }, { to: ledger_account }] } },
      { from: world.recipient },
    ])
  })

  test('is refused with terms that the contract would refuse, and with wallets that are not linked', async () => {
    const chain = await startFactoryChain()
    const world = await createPlanningWorld({ chain })
    const { verifiers, recipient } = world
    const addresses = verifiers.map(({ key }) => key.address)
    const [one = '', two = ''] = addresses
    const lost = await createVerifier(world, 4)
    await world.ctx.sql`update app_user set roles = '{}' where id = ${lost.userId}`
    await linkWallet(world, verifiers[0]?.userId ?? '', keyOf(5).address)
    const many = Array.from({ length: 17 }, (_, i) => `0x${String(i + 10).repeat(20)}`)
    const steps = (count: number) =>
      Array.from({ length: count }, () => ({ description: 'Dig', amount: 1 }))
    const ahead = (days: number) => world.daysAhead(days).toISOString()
    const refused: [path: string, Record<string, unknown>, Record<string, unknown>?][] = [
      ['escrow.recipient', { recipient: one }],
      ['escrow.recipient', { recipient: keyOf(8).address }],
      ['escrow.recipient', { recipient: TOKEN }],
      ['escrow.deadline', { deadline: ahead(-1) }],
      ['escrow.deadline', { deadline: '1970-01-01T00:00:00Z' }],
      ['escrow.deadline', { deadline: '0001-01-01T00:00:00Z' }],
      ['escrow.activateBy', { activateBy: ahead(9) }],
      ['escrow.expiry', { expiry: ahead(9) }],
      ['escrow.expiry', { activateBy: ahead(61) }],
      ['escrow.expiry', { expiry: ahead(6 * 366) }],
      ['escrow.expiry', { expiry: '9999-12-31T23:59:59Z' }],
      ['escrow.verifiers', { verifiers: [] }],
      ['escrow.verifiers', { verifiers: many }],
      ['escrow.verifiers', { verifiers: [one, one] }],
      ['escrow.verifiers', { verifiers: [one, keyOf(8).address] }],
      ['escrow.verifiers', { verifiers: [one, lost.key.address] }],
      ['escrow.verifiers', { verifiers: [one, recipient] }],
      ['escrow.verifiers', { verifiers: [one, keyOf(5).address] }],
      ['escrow.quorum', { quorum: 0 }],
      ['escrow.quorum', { verifiers: [one, two], quorum: 1 }],
      ['escrow.quorum', { verifiers: [one, two], quorum: 3 }],
      ['milestones', {}, { milestones: [] }],
      ['milestones', {}, { target_amount: 33, milestones: steps(33) }],
      ['milestones', {}, { target_amount: 9, milestones: steps(8) }],
      [
        'escrow.verifiers',
        { verifiers: [one] },
        { target_amount: 10_001, milestones: [{ description: 'Dig', amount: 10_001 }] },
      ],
      ['target_amount', {}, { target_amount: '1e33' }],
    ]
    for (const [path, escrow, changes] of refused) {
      const { status, body } = await world.create(escrow, changes)
      expect({ status, code: body.code, path: pathIn(body) }).toEqual({
        status: 400,
        code: 'invalid_terms',
        path,
      })
      expect(body.error).toMatch(/^The terms of the escrow are wrong: \w+ must .*\.$/)
    }
    // The refusal also uses the time of the newest block, because the chain's clock may be ahead of
    // ours.
    await startChain(world.ctx)
    await world.ctx.sql`update chain_block set mined_at = ${world.daysAhead(11)}`
    expect(pathIn((await world.create()).body)).toBe('escrow.deadline')
    expect(await world.ctx.sql`select from campaign`).toHaveLength(0)
    expect(await world.ctx.sql`select from campaign_escrow`).toHaveLength(0)
  })

  test('needs all signatures for each milestone if its target is above the threshold', async () => {
    const chain = await startFactoryChain()
    const world = await createPlanningWorld({ chain })
    const requiredOf = async (amount: number) => {
      const milestones = Array.from({ length: 32 }, () => ({ description: 'Dig', amount }))
      const created = await world.create({}, { target_amount: 32 * amount, milestones })
      const { escrow } = campaignIn(created.body)
      return [...new Set((escrow.milestones as { required: number }[]).map((one) => one.required))]
    }
    expect(await requiredOf(10_000)).toEqual([2])
    expect(await requiredOf(312.5)).toEqual([1])
  })

  test('is refused where it has both an escrow and an account, neither, or another chain', async () => {
    const chain = await startFactoryChain()
    const world = await createPlanningWorld({ chain })
    const both = await world.create({}, { ledger_account: world.recipient })
    const neither = await world.create({}, { escrow: undefined })
    for (const { status, body } of [both, neither]) {
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_input' })
      expect(pathIn(body)).toBe('ledger_account')
    }
    const other = await world.create({ recipient: `eip155:5:${world.recipient}` })
    expect(other.body).toMatchObject({ code: 'unknown_chain' })
    const wrong = await world.create({ verifiers: ['0x12'] })
    expect(wrong.body).toMatchObject({ code: 'invalid_input' })
    expect(pathIn(wrong.body)).toBe('escrow.verifiers.0')
  })

  test('is refused where the chain, the currency or the deployment has no escrow', async () => {
    const chain = await startTestChain()
    const empty = await createPlanningWorld({ chain })
    expect(await refusal(empty)).toEqual([409, 'escrow_unsupported'])
    expect((await empty.create()).body.error).toContain('The operator can deploy it')
    await deployFactory(chain)
    for (const currency of ['ETH', 'USD']) {
      expect(await refusal(empty, { currency })).toEqual([409, 'escrow_unsupported'])
      expect((await empty.create({}, { currency })).body.error).toContain('it holds USDC')
    }
    const off = await createPlanningWorld({ chain, settings: { escrow: false } })
    expect(await refusal(off)).toEqual([409, 'escrow_unsupported'])
    expect((await off.create()).body.error).toContain('Leave out `escrow`')
    const tokens = TEST_CHAIN.tokens.map((token) => ({ ...token, escrow: false }))
    const plain = await createPlanningWorld({ chain, chains: [{ ...TEST_CHAIN, tokens }] })
    expect(await refusal(plain)).toEqual([409, 'escrow_unsupported'])
    const capped = await createPlanningWorld({ chain, settings: { escrowMaxTarget: '999.99' } })
    expect(await refusal(capped)).toEqual([400, 'escrow_target_too_high'])
    expect(await refusal(capped, { target_amount: '999.99' })).toEqual([201, undefined])
    // Code at the factory's address that is not the factory's code does not count.
    await chain.call('anvil_setCode', [FACTORY, '0x00'])
    await chain.mine()
    expect(await refusal(empty)).toEqual([409, 'escrow_unsupported'])
  })

  test('moves with its terms while it is a draft, and keeps them when it is open', async () => {
    const chain = await startFactoryChain()
    const world = await createPlanningWorld({ chain, settings: { requireAccountProof: true } })
    const { token } = world.creator
    const draft = campaignIn((await world.create({}, { status: 'draft' })).body)
    const path = `/api/campaigns/${draft._id}`
    const change = async (body: object) => {
      const answer = await world.ask('PATCH', path, { token, body })
      return { ...answer, campaign: answer.body.campaign as CampaignAnswer }
    }
    const known = new Set([draft.ledger_account])
    const milestones = [{ description: 'Dig', amount: 2_000 }]
    expect((await change({ target_amount: 2_000 })).body).toMatchObject({ code: 'invalid_terms' })
    for (const body of [
      { target_amount: 2_000, milestones },
      {
        milestones: [
          { description: 'Dig deeper', amount: 500 },
          { ...milestones[0], amount: 1_500 },
        ],
      },
      { escrow: world.terms({ surplus: 'recipient' }) },
    ]) {
      const { status, campaign } = await change(body)
      expect(status).toBe(200)
      expect(campaign.ledger_account).toBe(
        toChecksumAddress(escrowAddress(campaign.escrow.packed as `0x${string}`)),
      )
      expect(campaign.account_proven).toBe(true)
      known.add(campaign.ledger_account)
    }
    expect(known.size).toBe(4)
    expect((await change({ title: 'Deeper wells' })).campaign.ledger_account).toBe(
      [...known].at(-1),
    )
    expect((await change({ ledger_account: world.recipient })).body).toMatchObject({
      code: 'invalid_input',
    })
    expect((await change({ milestones: [] })).body).toMatchObject({ code: 'invalid_terms' })
    expect((await world.ask('GET', `${path}/escrow`, { token })).body.transactions).toEqual([])

    const { userId } = world.verifiers[0] ?? { userId: '' }
    await world.ctx.sql`update app_user set roles = '{}' where id = ${userId}`
    expect((await change({ status: 'active' })).body).toMatchObject({ code: 'invalid_terms' })
    await world.ctx.sql`update app_user set roles = '{verifier}' where id = ${userId}`
    expect((await change({ status: 'active' })).status).toBe(200)

    const same = world.terms({ surplus: 'recipient' })
    expect((await change({ escrow: { ...same, quorum: 3 } })).body).toMatchObject({
      code: 'conflict',
    })
    expect((await change({ target_amount: 3_000 })).body).toMatchObject({ code: 'conflict' })
    expect((await change({ title: 'Wells again' })).campaign.ledger_account).toBe([...known].at(-1))
  })
})

test('an escrow is not added to a campaign, and not read where there is none', async () => {
  const world = await createPlanningWorld()
  const { token } = world.creator
  const created = await world.ask('POST', '/api/campaigns', {
    token,
    body: campaignBody({ status: 'draft' }),
  })
  const { _id: id } = campaignIn(created.body)
  expect(campaignIn(created.body)).not.toHaveProperty('escrow')
  const body = { escrow: world.terms() }
  const changed = await world.ask('PATCH', `/api/campaigns/${id}`, { token, body })
  expect(changed).toMatchObject({ status: 409, body: { code: 'conflict' } })
  const path = `/api/campaigns/${id}/escrow`
  expect(await world.ask('GET', path, { token })).toMatchObject({
    status: 409,
    body: { code: 'not_escrowed' },
  })
  expect(await world.ask('GET', path)).toMatchObject({ status: 404, body: { code: 'not_found' } })
})

test.skipIf(!hasAnvil)(
  'a wallet from before a password reset is neither recipient nor verifier, until it is linked again',
  async () => {
    const world = await createPlanningWorld({ chain: await startFactoryChain() })
    const setReset = (userId: string | undefined, isReset: boolean) =>
      world.ctx.sql`update wallet set before_reset = ${isReset} where user_id = ${userId ?? ''}`
    for (const userId of [world.verifiers[0]?.userId, world.creator.userId]) {
      await setReset(userId, true)
      expect(await world.create()).toMatchObject({ status: 400, body: { code: 'invalid_terms' } })
      await setReset(userId, false)
    }
    expect((await world.create()).status).toBe(201)
  },
)

test('a recipient under sanctions is refused', async () => {
  const isSanctioned = (addresses: readonly string[]) =>
    addresses.includes(keyOf(7).address.toLowerCase())
  const world = await createPlanningWorld({ sanctions: { active: true, isSanctioned } })
  expect(await refusal(world)).toEqual([451, 'blocked_for_legal_reasons'])
})

test('a campaign with an escrow waits for a node that can say whether the factory is there', async () => {
  const world = await createPlanningWorld()
  expect(await refusal(world)).toEqual([503, 'unavailable'])
  expect((await world.create()).body.error).toContain('Try again later')
})

const pathIn = (body: Record<string, unknown>): string | undefined =>
  (body.details as { path: string }[] | undefined)?.[0]?.path

const refusal = async (world: PlanningWorld, changes: Record<string, unknown> = {}) => {
  const { status, body } = await world.create({}, changes)
  return [status, body.code]
}
