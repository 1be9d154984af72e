import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { waitFor } from '../support/wait-for.ts'
import { expectAccessible } from './support/axe.ts'
import { test } from './support/browser-test.ts'
import { ask } from './support/campaign.ts'
import { takeScreenshot } from './support/screenshot.ts'
import type { Stack } from './support/stack.ts'

const PASSWORD = 'quiet-river-42-stones'

type Campaign = { id: string; title: string; ledgerAccount: string; slug: string | null }

/** Pays a seeded campaign without an account. Returns the link that claims the donation. */
const giveAsGuest = async (stack: Stack, account: number) => {
  const { chain } = stack
  const { data: campaigns } = await ask(stack, 'GET', '/v1/campaigns?status=active')
  // Campaigns of other tests may have a promise of the same wallet, to which the payment belongs.
  const plain = (campaigns as Campaign[]).find(({ slug }) => slug === 'clean-water-for-bako')
  if (!plain) throw new Error('No campaign without an escrow is seeded.')
  const to = plain.ledgerAccount.split(':').at(-1) ?? ''
  const { paid } = await chain.sendToken(account, to, 25_000_000n)
  const body = {
    campaignId: plain.id,
    amount: { value: '25', currency: 'USDC' },
    donor: { walletAddress: chain.addressOf(account) },
    transaction: paid,
  }
  const { data, claim } = (await ask(stack, 'POST', '/v1/donations', { body })) as {
    data: { id: string }
    claim: { url: string }
  }
  return { id: data.id, title: plain.title, claimUrl: claim.url }
}

/** Registers a user with a password, and confirms the mail address with the code in the mail. */
const register = async (page: Page, name: string): Promise<void> => {
  await page.getByLabel('Email address').fill(`${name}@example.org`)
  await page.getByLabel('User name').fill(name)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'Confirm your email address' }).waitFor()
  const href = await page.getByRole('link', { name: 'Show the mail' }).getAttribute('href')
  const mails = await page.request.get(href ?? '')
  const code = /\b\d{6}\b/.exec(await mails.text())?.[0] ?? ''
  await page.getByLabel('Code from the mail').fill(code)
  await page.getByRole('button', { name: 'Confirm' }).click()
}

test('a guest gives, later signs in with the wallet, and finds the donation', async ({
  stack,
  openWithWallet,
}) => {
  const { id, title } = await giveAsGuest(stack, 2)
  // No wallet has paid the donation until the service has seen the block of the payment.
  await waitFor(
    'the payment to be seen',
    async () => (await (await fetch(`${stack.origin}/api/donations/${id}`)).json()).status,
    (status) => status === 'confirming' || status === 'completed',
  )
  const { page } = await openWithWallet('/account/donations', { account: 2 })
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Sign in with Test Wallet' }).click()

  await page.getByRole('heading', { name: 'Your donations' }).waitFor()
  const link = page.locator(`a[href="/d/${id}"]`)
  const row = page.getByRole('row', { name: title }).filter({ has: link })
  expect(await row.textContent()).toContain('25.00\u00a0USDC')
  await waitFor(
    'the donation to be proven',
    async () => {
      await page.reload()
      return row.textContent()
    },
    (text) => text?.includes('Proven') === true,
  )
  await expectAccessible(page)
  await takeScreenshot(page, 'account-donations')
  expect(await link.count()).toBe(1)
})

test('a guest claims the donation with the link, and an account that is made for it', async ({
  stack,
  openPage,
}) => {
  const { id, claimUrl } = await giveAsGuest(stack, 3)
  const { pathname, hash } = new URL(claimUrl)
  const page = await openPage({ path: pathname + hash })
  await page.waitForFunction(() => location.hash === '')
  expect(await page.getByLabel('Claim link').inputValue()).toBe(hash.slice(1))
  await page.getByRole('button', { name: 'Claim the donation' }).click()

  await page.getByText('Then the donation can become yours.').waitFor()
  await page.getByRole('link', { name: 'Create an account' }).click()
  await register(page, 'grace')
  await page.waitForURL(`**/account/donations?claimed=${id}`)
  await page.getByText('is now in this account.').waitFor()
  expect(await page.locator(`td a[href="/d/${id}"]`).count()).toBe(1)
})

test('a wallet that refuses, is busy or is missing is explained, and can try again', async ({
  openPage,
  openWithWallet,
}) => {
  const { page, wallet } = await openWithWallet('/sign-in', { account: 4 })
  wallet.refusals = 1
  const button = page.getByRole('button', { name: 'Sign in with Test Wallet' })
  const status = page.getByRole('status').filter({ hasText: /./ })
  await button.click()
  await status.filter({ hasText: 'You refused in the wallet.' }).waitFor()
  wallet.isBusy = true
  await button.click()
  await status.filter({ hasText: 'Your wallet already has a request open' }).waitFor()
  wallet.isBusy = false
  const release = wallet.hold()
  await button.click()
  await status.filter({ hasText: 'Confirm in your wallet.' }).waitFor()
  expect(await button.isDisabled()).toBe(true)
  release()
  await page.getByRole('heading', { name: 'Your account' }).waitFor()
  expect(await page.getByText(wallet.address(), { exact: false }).count()).toBe(0)

  const without = await openPage({ path: '/sign-in?lang=de' })
  await without.getByText('In diesem Browser ist keine Wallet.').waitFor()
})

test('an account with a password links a wallet, and works without JavaScript too', async ({
  openPage,
  openWithWallet,
}) => {
  const { page } = await openWithWallet('/register?to=/account', { account: 5 })
  await register(page, 'ada')
  await page.getByRole('heading', { name: 'Your account' }).waitFor()
  await page.getByRole('button', { name: 'Link Test Wallet' }).click()
  await page.getByText('The wallet is linked.').waitFor()
  await expectAccessible(page)
  await takeScreenshot(page, 'account')

  const plain = await openPage({ path: '/sign-in', javaScript: false, width: 360 })
  expect(await plain.locator('noscript').innerText()).toBe(
    'Signing in with a wallet needs JavaScript.',
  )
  expect(await plain.getByText('Looking for wallets').isVisible()).toBe(false)
  await plain.getByLabel('Email address or user name').fill('ada')
  await plain.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await plain.getByRole('button', { name: 'Sign in', exact: true }).click()
  await plain.getByRole('heading', { name: 'Your account' }).waitFor()
  await plain.getByRole('button', { name: 'Sign out', exact: true }).click()
  await plain.getByRole('link', { name: 'Sign in' }).waitFor()
})
