import { expect } from 'vitest'
import { waitFor } from '../support/wait-for.ts'
import { expectAccessible } from './support/axe.ts'
import { test } from './support/browser-test.ts'
import { ask, createCampaign, RECIPIENT } from './support/campaign.ts'
import { takeScreenshot } from './support/screenshot.ts'
import type { Stack } from './support/stack.ts'

/** The index of the donor's account on the development chain. */
const DONOR = 1
const UNITS = 25_000_000n

type Calls = { sendCalls: { calls: { to: string; data: string }[] } }
type Method = Calls & { method: string }
type Action = Calls & { action: string }

/** Gives 25 USDC to an escrow, which records the donor. */
const give = async (stack: Stack) => {
  const { chain } = stack
  const { id: campaignId } = await createCampaign(stack, { hasEscrow: true })
  const amount = { value: '25', currency: 'USDC' }
  const body = { campaignId, amount, donor: { walletAddress: chain.addressOf(DONOR) } }
  const { data } = (await ask(stack, 'POST', '/v1/donations', { body })) as {
    data: { id: string; payment: { methods: Method[] } }
  }
  await chain.mint(chain.addressOf(DONOR), UNITS)
  const method = data.payment.methods.find((one) => one.method === 'calls')
  await chain.sendCalls(DONOR, method?.sendCalls.calls ?? [])
  await waitFor(
    'the donation to be completed',
    async () => (await ask(stack, 'GET', `/api/donations/${data.id}`)).status,
    (status) => status === 'completed',
  )
  return {
    path: `/d/${data.id}`,
    /** Cancels the campaign as its recipient. */
    async cancel(): Promise<void> {
      const { transactions } = await ask(stack, 'GET', `/api/campaigns/${campaignId}/escrow`)
      const cancel = (transactions as Action[]).find(({ action }) => action === 'cancel')
      await chain.sendCalls(RECIPIENT, cancel?.sendCalls.calls ?? [])
    },
  }
}

test('a donor gets the money of a cancelled campaign back, and the open page follows', async ({
  stack,
  openWithWallet,
}) => {
  const { path, cancel } = await give(stack)
  const { page } = await openWithWallet(path, { account: DONOR })
  expect(await page.getByText('Your refund').count()).toBe(0)

  await cancel()
  const show = page.getByRole('link', { name: 'Show the transaction' })
  await show.click()
  const send = page.getByRole('button', { name: 'Send with my wallet' })
  await send.waitFor()
  expect(await show.isVisible()).toBe(false)
  await expectAccessible(page)
  await takeScreenshot(page, 'donation-refundable')

  await send.click()
  await page.getByText('The escrow has paid your refund.').waitFor()
  await page.getByText('The escrow has paid back 25\u00a0USDC, all of this donation.').waitFor()
  expect(await page.locator('.when-refundable').isVisible()).toBe(false)
  await expectAccessible(page)
  await takeScreenshot(page, 'donation-refunded')

  await page.getByRole('link', { name: 'Receipt' }).click()
  await page.getByText('Do not use version 1 of this receipt any more.').waitFor()
  expect(await page.title()).toContain('REFUNDED')
  await page.emulateMedia({ media: 'print' })
  const paper = await page.pdf({ format: 'A4', preferCSSPageSize: true })
  expect(paper.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1)
  await takeScreenshot(page, 'receipt-refunded')
})
