import { ROOF, WATER } from '../../../src/commands/seed/campaigns.ts'
import { IMAGES } from '../../support/images.ts'
import { waitFor } from '../../support/wait-for.ts'
import { ask, RECIPIENT, signInSeedUser } from './campaign.ts'
import type { Stack } from './stack.ts'

/** The seeded campaigns, with donations in those states that need no donor at a page. */
export type Scene = Awaited<ReturnType<typeof createScene>>

const USDC = 1_000_000n
/** 0.006 ether, in wei. */
const ETHER_GIFT = '0x1550f7dca70000'

/**
 * Adds a cover, and donations in several states, to the seeded campaigns. Stops new blocks until
 * `startBlocks` is called, so that the donation with one confirmation gets no more confirmations.
 */
export const createScene = async (stack: Stack) => {
  const { port, chain, rpc, stopBlocks, startBlocks, mine } = stack
  const token = await signInSeedUser(stack)
  const campaigns = (await ask(stack, 'GET', '/api/campaigns')).campaigns as Record<
    string,
    string
  >[]
  const campaignOf = (title: string) => {
    const found = campaigns.find((one) => one.title === title)
    return { id: String(found?._id), account: String(found?.ledger_account) }
  }
  const water = campaignOf(WATER.campaign.title)
  const roof = campaignOf(ROOF.campaign.title)

  const record = async (paid: object, value: string, currency = 'USDC'): Promise<string> => {
    const body = { campaignId: water.id, amount: { value, currency }, transaction: paid }
    const { donation } = await ask(stack, 'POST', '/api/donations', { body, token })
    return (donation as { id: string }).id
  }
  const promise = async (campaignId: string, account: number): Promise<string> => {
    const amount = { value: '25', currency: 'USDC' }
    const body = { campaignId, amount, donor: { walletAddress: chain.addressOf(account) } }
    const { data } = await ask(stack, 'POST', '/v1/donations', { body })
    return (data as { id: string }).id
  }
  const becomes = async (id: string, status: string): Promise<string> => {
    await waitFor(
      `the donation to be ${status}`,
      async () => (await ask(stack, 'GET', `/api/donations/${id}`, { token })).status,
      (found) => found === status,
    )
    return id
  }

  await fetch(`http://127.0.0.1:${port}/api/campaigns/${water.id}/cover`, {
    method: 'POST',
    headers: { 'content-type': 'image/png', authorization: `Bearer ${token}` },
    body: IMAGES.PNG,
  })
  const taken = await chain.sendToken(4, water.account, 30n * USDC)
  const reversed = await becomes(await record(taken.paid, '30'), 'completed')
  await chain.takeBackFrom(taken.block)
  await becomes(reversed, 'reversed')
  const elsewhere = await chain.sendToken(4, chain.newAddress(), 5n * USDC)
  const failed = await becomes(await record(elsewhere.paid, '5'), 'failed')
  // A deposit: no donation claims this payment.
  await chain.sendToken(RECIPIENT, water.account, 8n * USDC)
  const completed = await becomes(
    await record((await chain.sendToken(2, water.account, 40n * USDC)).paid, '40'),
    'completed',
  )
  await waitFor(
    'the payment to be offered to its sender',
    async () => (await ask(stack, 'GET', '/api/deposits', { token })).deposits as unknown[],
    ({ length }) => length > 0,
  )
  const waiting = await promise(water.id, 3)
  const waitingEscrow = await promise(roof.id, 3)

  await stopBlocks()
  const gift = { from: chain.addressOf(5), to: water.account, value: ETHER_GIFT }
  const txHash = await rpc('eth_sendTransaction', [gift])
  const confirming = await record({ txHash, ledgerAddress: gift.from }, '0.006', 'ETH')
  await mine()
  await becomes(confirming, 'confirming')
  return {
    completed,
    reversed,
    failed,
    waiting,
    waitingEscrow,
    confirming,
    startBlocks,
  }
}
