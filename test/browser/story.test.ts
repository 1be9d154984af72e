import { expect, onTestFinished } from 'vitest'
import { test } from './support/browser-test.ts'
import { takeScreenshot } from './support/screenshot.ts'

/** Counts the pages of a PDF that Chromium has printed. */
const printedPages = (pdf: Buffer): number =>
  [...pdf.toString('latin1').matchAll(/\/Type \/Page\b/g)].length

test('a visitor picks a campaign, gives, watches the gift, checks its proof and prints the receipt', async ({
  stack,
  openWithWallet,
}) => {
  const { page, wallet } = await openWithWallet('/')
  await takeScreenshot(page, '1-campaigns')

  await page.locator('.row-title a', { hasText: 'Clean water for Bako' }).click()
  await page.getByRole('heading', { level: 1, name: 'Clean water for Bako' }).waitFor()
  await takeScreenshot(page, '2-campaign')

  await page.getByRole('link', { name: 'Donate', exact: true }).click()
  await page.getByLabel('Amount', { exact: true }).fill('25')
  await page.getByLabel('Name').fill('Edith')
  await takeScreenshot(page, '3-donate')
  await page.getByRole('button', { name: 'Connect Test Wallet' }).click()
  await stack.stopBlocks()
  onTestFinished(() => stack.startBlocks())
  await page.getByRole('button', { name: 'Give 25 USDC' }).click()

  await page.getByRole('heading', { level: 1, name: '25 USDC for Clean water for Bako' }).waitFor()
  await stack.mine()
  await page
    .getByText(/In block \d+/)
    .first()
    .waitFor()
  await takeScreenshot(page, '4-confirming')
  await stack.startBlocks()
  await page.getByText('You can check the proof below, without trusting us.').waitFor()
  await takeScreenshot(page, '5-proven')

  await page.getByRole('button', { name: 'Check this proof' }).click()
  await page.getByText('The donation is proven.').waitFor()
  await takeScreenshot(page, '6-checked')
  expect(wallet.asked('eth_sendTransaction')).toHaveLength(1)

  await page.getByRole('link', { name: 'Receipt' }).click()
  await page.getByText('Receipt for a donation').waitFor()
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByRole('navigation').first().isVisible()).toBe(false)
  await page.getByText('Edith', { exact: true }).waitFor()
  await takeScreenshot(page, '7-receipt')
  expect(printedPages(await page.pdf({ format: 'A4' }))).toBe(1)

  await page.emulateMedia({ media: 'screen' })
  await page.goto('/c/clean-water-for-bako')
  await page.getByRole('row', { name: /Edith.*Proven.*25\.00 USDC/s }).waitFor()
})

test('a visitor without JavaScript reads, gives from a phone and gets the receipt', async ({
  stack,
  openPage,
}) => {
  const page = await openPage({ path: '/', javaScript: false, width: 360, theme: 'dark' })
  await page.locator('.row-title a', { hasText: 'Clean water for Bako' }).click()
  await page.getByText('The survey is done').waitFor()
  await takeScreenshot(page, '8-campaign-on-a-phone')
  await page.getByRole('link', { name: 'Donate', exact: true }).click()
  await page.getByLabel('Amount', { exact: true }).fill('12.50')
  await page.getByLabel('Address of the wallet that pays').fill(stack.chain.addressOf(3))
  await page.getByRole('button', { name: 'Show how to pay' }).click()

  await page.getByRole('img', { name: /Code for a payment of 12\.50? USDC/ }).waitFor()
  await takeScreenshot(page, '9-pay-by-phone')
  const uri = await page.getByRole('link', { name: 'Open in a wallet' }).getAttribute('href')
  const [, account = ''] = /address=(0x[0-9a-fA-F]{40})/.exec(uri ?? '') ?? []
  await stack.chain.sendToken(3, account, 12_500_000n)

  await expect
    .poll(
      async () => {
        await page.reload()
        return page.getByText('You can check the proof below').isVisible()
      },
      { timeout: 30_000, interval: 500 },
    )
    .toBe(true)
  await page.getByRole('link', { name: 'Receipt' }).click()
  await page.getByText('Receipt for a donation').waitFor()
  await takeScreenshot(page, '10-receipt-on-a-phone')
})
