import { createServer } from 'node:http'
import { expect, onTestFinished } from 'vitest'
import { listen } from '../support/listen.ts'
import { test } from './support/browser-test.ts'
import { createCampaign } from './support/campaign.ts'
import { takeScreenshot } from './support/screenshot.ts'

const SEND = { name: 'Send with my wallet' }

test('says that a wallet is missing, or that it waits for an answer', async ({
  openPage,
  openWithWallet,
  stack,
}) => {
  const path = `${(await createCampaign(stack, { hasEscrow: true })).path}/escrow`
  const without = await openPage({ path })
  await without.getByRole('button', SEND).first().click()
  await without.getByText('No wallet is in this browser.').waitFor()
  const { page, wallet } = await openWithWallet(path)
  const release = wallet.hold()
  await page.getByRole('button', SEND).first().click()
  await page.getByText('Confirm it in your wallet.').waitFor()
  release()
})

test('a stranger puts an escrow on the chain, after a rejection and on the right network', async ({
  openWithWallet,
  stack,
}) => {
  const { path } = await createCampaign(stack, { hasEscrow: true })
  const options = { chainId: 1, knowsChain: false }
  const { page, wallet } = await openWithWallet(`${path}/escrow`, options)
  wallet.refusals = 1
  const action = page.locator('.action', { hasText: 'Put the contract on the chain' })
  await action.getByRole('button', SEND).click()
  await action.getByText('You have rejected it in your wallet. Nothing was sent.').waitFor()
  await action.getByRole('button', { name: 'Try again' }).click()
  await action.getByText('Sent. When the block is final').waitFor()
  expect(wallet.asked('wallet_addEthereumChain')).toHaveLength(1)
  const sent = wallet.asked('eth_sendTransaction').map(({ params }) => params[0])
  expect(sent).toMatchObject([{ from: wallet.address() }])
  const account = await page.locator('[data-copy^="0x"]').first().getAttribute('data-copy')
  expect(await stack.rpc('eth_getCode', [account, 'latest'])).toMatch(/^0x/)
  await expect
    .poll(
      async () => {
        await page.reload()
        return action.count()
      },
      { timeout: 30_000 },
    )
    .toBe(0)
})

test('copies an address, and says so to screen readers', async ({ openPage }) => {
  const page = await openPage({ path: '/c/clean-water-for-bako' })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await page.getByRole('status').getByText('Copied').waitFor({ state: 'attached' })
  expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^0x[0-9a-fA-F]{40}$/)
})

test.for([
  ['/', 'li bdi'],
  ['/', '.row-title a'],
  ['/c/clean-water-for-bako/donations', '.back a'],
  ['/c/clean-water-for-bako/donate', '.summary-title strong'],
] as const)('isolates the text of a person on %s in %s', async ([path, selector], { openPage }) => {
  const page = await openPage({ path })
  const text = page.locator(selector).first()
  expect(await text.evaluate((one) => getComputedStyle(one).unicodeBidi)).toBe('isolate')
})

test('another site shows the card of a campaign, and keeps its link if there is none', async ({
  openPage,
  stack,
}) => {
  const host = await serve(`<!doctype html><title>Another site</title>
    <script src="${stack.origin}/embed.js"></script>
    <fundproof-campaign campaign="clean-water-for-bako" lang="de"><a href="/">Water</a></fundproof-campaign>
    <fundproof-campaign campaign="nothing"><a href="/">Nothing</a></fundproof-campaign>`)
  const page = await openPage({ allowed: [new RegExp(host), /frame-ancestors/, /404/] })
  await page.goto(host)
  const card = page.frameLocator('iframe').first()
  const donate = card.getByRole('link', { name: 'Spenden' })
  await donate.waitFor()
  expect(await donate.getAttribute('target')).toBe('_blank')
  await page.getByRole('link', { name: 'Water' }).waitFor({ state: 'hidden' })
  const frame = await page.locator('iframe').first().boundingBox()
  const shown = await card.getByRole('main').boundingBox()
  expect(frame?.height).toBe(Math.ceil(shown?.height ?? 0))
  await page.getByRole('link', { name: 'Nothing' }).waitFor()
})

/** Serves one page as another site on this machine. Returns the origin of that site. */
const serve = async (html: string): Promise<string> => {
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html').end(html)
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  return url
}

test('the button to donate stays at the foot of the window on phones, and only there', async ({
  openPage,
}) => {
  for (const [width, where] of [
    [390, '.give-bar'],
    [1_280, '.card'],
  ] as const) {
    const page = await openPage({ path: '/c/a-school-roof-for-bako', width })
    const donate = page.getByRole('link', { name: 'Donate', exact: true })
    await donate.waitFor()
    expect(await donate.count()).toBe(1)
    const shown = await page.locator(where).getByRole('link', { name: 'Donate' }).boundingBox()
    const height = page.viewportSize()?.height ?? 0
    if (width < 1_280) expect((shown?.y ?? 0) + (shown?.height ?? 0)).toBeLessThanOrEqual(height)
    const place = page.locator(where)
    await place.getByText('Not audited: give no more than you can lose.').waitFor()
    await takeScreenshot(page, `campaign-escrow-${width}`)
  }
})
