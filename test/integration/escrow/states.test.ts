import { describe, expect, test } from 'vitest'
import { type EscrowView, getEscrow } from '../../../src/domain/campaigns/index.ts'
import { deployCall } from '../../../src/escrow/calls.ts'
import { hasAnvil, type TestChain } from '../../support/test-chain.ts'
import { pagesOf } from '../pages/support/test-pages.ts'
import {
  createEscrowWorld,
  type EscrowWorld,
  pay,
  type Ready,
  sendReady,
} from './support/escrow-world.ts'
import { startFactoryChain } from './support/planned.ts'

const ZERO = `0x${'0'.repeat(64)}`
const TITLES = {
  deploy: 'Put the contract on the chain',
  activate: 'Activate the escrow',
  close: 'Open the refunds',
}

/** Reads the escrow by the API and by its page. Both must offer the same transactions. */
const lookAt = async (world: EscrowWorld) => {
  const { visit } = await pagesOf(world)
  await world.ctx.sql`update campaign set slug = 'roof', title = 'A roof'`
  return async () => {
    const { status, body } = await world.ask('GET', `/api/campaigns/${world.campaignId}/escrow`)
    const actions = (body.transactions as { action: string }[]).map(({ action }) => action)
    // The page caches the answers of nodes until the campaign changes in the database.
    await world.ctx.sql`update campaign set updated_at = clock_timestamp()`
    const page = await visit('/c/roof/escrow')
    expect([status, page.status]).toEqual([200, 200])
    // The page shows the cancellation to the creator only.
    const shown = Object.entries(TITLES).flatMap(([action, title]) =>
      page.html.includes(`<h3>${title}`) ? [action] : [],
    )
    expect(shown).toEqual(actions.filter((action) => action !== 'cancel'))
    return { state: body.state, deployed: body.deployed, actions, body }
  }
}

const send = async (
  chain: TestChain,
  { transactions }: { transactions: Ready[] },
  action: string,
) => {
  const found = transactions.find((one) => (one as Ready & { action: string }).action === action)
  if (!found) throw new Error(`The transaction ${action} is not offered.`)
  return sendReady(chain, 5, found)
}

describe.skipIf(!hasAnvil)('the answer and the page of an escrow', () => {
  test('offer in each state what its contract accepts', async () => {
    const chain = await startFactoryChain()
    const world = await createEscrowWorld({ chain })
    const look = await lookAt(world)
    const none = await look()
    expect(none).toMatchObject({ state: 'funding', deployed: false, actions: ['deploy', 'cancel'] })
    await send(chain, none.body as never, 'deploy')
    // The deployment emits no event, so the service asks the node whether the contract exists.
    const deployed = await look()
    expect(deployed).toMatchObject({ state: 'funding', deployed: true, actions: ['cancel'] })
    await pay(chain, world, 70n)
    const due = await look()
    expect(due).toMatchObject({ deployed: true, actions: ['activate', 'cancel'] })
    await send(chain, due.body as never, 'activate')
    // The service has not read the block of the activation yet.
    expect(await look()).toMatchObject({ state: 'funding', actions: ['cancel'] })
    await world.settled({ kind: 'Activated', fields: { balance: '70000000' } })
    expect(await look()).toMatchObject({ state: 'active', actions: ['cancel'] })
    await passUntil(chain, world, world.terms.expiry)
    const over = await look()
    expect(over).toMatchObject({ state: 'active', actions: ['close', 'cancel'] })
    await send(chain, over.body as never, 'close')
    expect(await look()).toMatchObject({ state: 'active', actions: [] })
    await world.settled({
      kind: 'Failed',
      fields: {
        reason: 'expired',
        pool: '70000000',
        total: '70000000',
        recorded: '0',
        reasonHash: ZERO,
      },
    })
    expect(await look()).toMatchObject({ state: 'failed', actions: [] })
  })

  test('put the contract before the activation and the end of an escrow that has none', async () => {
    const chain = await startFactoryChain()
    const world = await createEscrowWorld({ chain })
    const look = await lookAt(world)
    await pay(chain, world, 70n)
    expect(await look()).toMatchObject({
      deployed: false,
      actions: ['deploy', 'activate', 'cancel'],
    })
    await passUntil(chain, world, world.terms.activateBy)
    const over = await look()
    expect(over).toMatchObject({ state: 'funding', actions: ['deploy', 'close', 'cancel'] })
    const receipts = await send(chain, over.body as never, 'close')
    expect(receipts.map(({ status }) => status)).toEqual(['0x1', '0x1'])
    expect(await look()).toMatchObject({ deployed: true, actions: [] })
  })

  test('follow one reading of the chain, also if it deploys the contract meanwhile', async () => {
    const chain = await startFactoryChain()
    const world = await createEscrowWorld({ chain })
    const { contracts } = world.ctx
    let readings = 0
    const hasCode = async () => ++readings > 1
    const ctx = { ...world.ctx, contracts: { ...contracts, hasCode } }
    const view: EscrowView = await getEscrow(ctx, world.campaignId)
    const { data } = deployCall(world.packed)
    expect(view.transactions.map(({ action }) => action)).toEqual(['deploy', 'cancel'])
    expect(view.transactions.map((one) => one.sendCalls.calls[0]?.data)).toEqual([data, data])
  })
})

/** Moves the chain and the service past this time, in Unix seconds. */
const passUntil = async (chain: TestChain, world: EscrowWorld, seconds: number): Promise<void> => {
  await chain.call('evm_setNextBlockTimestamp', [seconds + 1])
  await chain.mine()
  await world.setChainTime(seconds + 1)
}
