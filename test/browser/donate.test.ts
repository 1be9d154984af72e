import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import postgres from 'postgres'
import { describe, expect } from 'vitest'
import { waitFor } from '../support/wait-for.ts'
import { expectAccessible } from './support/axe.ts'
import { test } from './support/browser-test.ts'
import { ask, createCampaign } from './support/campaign.ts'
import { layoutShift } from './support/page-sizes.ts'
import { takeScreenshot } from './support/screenshot.ts'
import { SANCTIONS_FILE, type Stack } from './support/stack.ts'
import type { TestWallet } from './support/wallet.ts'

const DONATE = '/c/clean-water-for-bako/donate'
const WAIT = { timeout: 30_000 }

/** Presses the page's main button, which must have this label. */
const press = (page: Page, label: string | RegExp) =>
  page.getByRole('button', { name: label }).click(WAIT)

const says = (page: Page, text: string | RegExp) =>
  page
    .getByText(text)
    .first()
    .waitFor({ state: 'visible', ...WAIT })

/** Fills in the amount, and waits until the wallet is connected. */
const connect = async (page: Page, amount = '25') => {
  await page.getByLabel('Amount', { exact: true }).fill(amount)
  await press(page, 'Connect Test Wallet')
  await says(page, /Connected with|Your wallet uses another network/)
}

/** Returns the donation's id from the address of the page. */
const idIn = (page: Page): string => new URL(page.url()).pathname.split('/')[2] ?? ''

/** Waits until the page of the paid donation is open. Returns the donation's id. */
const paidIn = async (page: Page): Promise<string> => {
  await page.waitForURL(/\/d\/[0-9a-f-]{36}$/, WAIT)
  return idIn(page)
}

/** Presses a button, and refuses the request that the page then sends to the wallet. */
const refuse = async (page: Page, wallet: TestWallet, label: string | RegExp) => {
  wallet.refusals = 1
  await press(page, label)
  await says(page, 'You refused in your wallet.')
}

const readDonation = async (stack: Stack, id: string) => {
  const answer = await fetch(`${stack.origin}/api/donations/${id}`)
  return (await answer.json()) as { status: string; payment: { txHash: string | null } }
}

/** Waits until the worker has credited the donation. */
const credited = (stack: Stack, id: string) =>
  waitFor(
    'the credit',
    () => readDonation(stack, id),
    ({ status }) => status === 'completed',
    60_000,
  )

const cancel = async (stack: Stack, campaignId: string) => {
  const sql = postgres(stack.databaseUrl, { max: 1, onnotice: () => {} })
  await sql`update campaign set status = 'cancelled' where id = ${campaignId}`
  await sql.end()
}

describe('giving with a wallet', () => {
  test('connects, pays and follows the donation until it is credited', async ({
    openWithWallet,
    stack,
  }) => {
    const { page, wallet } = await openWithWallet(DONATE)
    await page.getByRole('link', { name: '25 USDC' }).click()
    await press(page, 'Connect Test Wallet')
    await takeScreenshot(page, 'donate-connected')
    await press(page, /Give 25.USDC/)
    const id = await paidIn(page)
    await credited(stack, id)
    expect((await readDonation(stack, id)).payment.txHash).toMatch(/^0x[0-9a-f]{64}$/)
    expect(wallet.asked('eth_sendTransaction')).toHaveLength(1)
  })

  test('a refusal in the wallet costs nothing, and the next try pays the same intent', async ({
    openWithWallet,
    stack,
  }) => {
    const { page, wallet } = await openWithWallet(DONATE, { account: 2 })
    await connect(page, '11')
    await refuse(page, wallet, /Give 11.USDC/)
    const first = idIn(page)
    await press(page, /Give 11.USDC/)
    await credited(stack, first)
  })

  test('a reload after a refusal continues with the same intent', async ({
    openWithWallet,
    stack,
  }) => {
    const { page, wallet } = await openWithWallet(DONATE, { account: 3 })
    await connect(page, '12')
    await refuse(page, wallet, /Give 12.USDC/)
    const first = idIn(page)
    await page.reload()
    await says(page, 'How to pay')
    await press(page, 'Connect Test Wallet')
    await press(page, /Give 12.USDC/)
    await credited(stack, first)
  })

  test('switches the network, and adds one that the wallet does not know', async ({
    openWithWallet,
    stack,
  }) => {
    const options = { account: 4, chainId: 1, knowsChain: false }
    const { page, wallet } = await openWithWallet(DONATE, options)
    await connect(page, '13')
    await refuse(page, wallet, 'Switch to Development chain')
    await press(page, 'Switch to Development chain')
    await press(page, /Give 13.USDC/)
    await page.waitForURL(/\/d\//, WAIT)
    await credited(stack, idIn(page))
    expect(wallet.asked('wallet_addEthereumChain')).toHaveLength(1)
  })

  test('goes back when the donor changes the network before paying', async ({ openWithWallet }) => {
    const { page, wallet } = await openWithWallet(DONATE, { account: 4 })
    await connect(page, '13')
    await wallet.useChain(1)
    await press(page, 'Switch to Development chain')
    await page.getByRole('button', { name: /Give 13/ }).waitFor(WAIT)
    expect(wallet.asked('eth_sendTransaction')).toHaveLength(0)
  })

  test('says that the wallet has an older request open', async ({ openWithWallet }) => {
    const { page, wallet } = await openWithWallet(DONATE)
    wallet.isBusy = true
    await page.getByLabel('Amount', { exact: true }).fill('25')
    await press(page, 'Connect Test Wallet')
    await says(page, 'Your wallet has an older open request.')
    wallet.isBusy = false
    await press(page, 'Connect Test Wallet')
    await page.getByRole('button', { name: /Give 25/ }).waitFor(WAIT)
  })

  test('says after a while that the wallet waits, and lets the donor stop', async ({
    openWithWallet,
  }) => {
    const { page, wallet } = await openWithWallet(DONATE)
    await connect(page)
    const release = wallet.hold()
    await press(page, /Give 25/)
    await says(page, 'Your wallet has an open request.')
    await press(page, 'Stop waiting')
    await says(page, 'Look in your wallet first.')
    await page.getByRole('button', { name: /Give 25/ }).waitFor(WAIT)
    release()
    // The donor confirmed in the wallet after stopping on the page, so the payment counts.
    await paidIn(page)
    await says(page, /25.USDC/)
  })

  test('says before it asks the wallet that the account has too little', async ({
    openWithWallet,
  }) => {
    const { page, wallet } = await openWithWallet(DONATE)
    await connect(page, '99999999999')
    await press(page, /Give 99/)
    await says(page, 'This account has not enough USDC.')
    expect(wallet.asked('eth_sendTransaction')).toHaveLength(0)
  })

  test('does not pay from another account than the one of the intent', async ({
    openWithWallet,
  }) => {
    const { page, wallet } = await openWithWallet(DONATE, { account: 5 })
    await connect(page, '14')
    await refuse(page, wallet, /Give 14/)
    await wallet.useAccount(6)
    await says(page, 'This donation waits for a payment from')
    expect(await page.getByRole('button', { name: /Give 14/ }).isDisabled()).toBe(true)
    await press(page, 'Cancel and start again')
    await page.waitForURL(/\/donate\?cancelled$/, WAIT)
  })

  test('counts a payment whose page was closed before the wallet answered', async ({
    openWithWallet,
    stack,
  }) => {
    const { page, wallet } = await openWithWallet(DONATE, { account: 7 })
    await connect(page, '15')
    const release = wallet.hold()
    await press(page, /Give 15/)
    await wallet.waitForRequest('eth_sendTransaction')
    const id = idIn(page)
    const [sent] = wallet.asked('eth_sendTransaction')
    await page.close()
    await stack.rpc('eth_sendTransaction', sent?.params ?? [])
    await credited(stack, id)
    wallet.refusals = 1
    release()
  })

  test('an old wallet without a name works too', async ({ openWithWallet }) => {
    const { page } = await openWithWallet(DONATE, { isLegacy: true })
    await says(page, 'Browser wallet')
    await press(page, 'Connect Browser wallet')
    await says(page, 'Connected with')
  })

  test('explains a wrong amount in the words of the page', async ({ openWithWallet }) => {
    const { page } = await openWithWallet(DONATE, {}, { allowed: [/status of 400/] })
    await connect(page, 'ten')
    await press(page, /Give/)
    await says(page, 'Enter an amount such as 25 or 12.50.')
  })
})

describe('the first look', () => {
  test.for([
    { name: 'a wallet', text: 'Test Wallet', wallet: {} },
    { name: 'an old wallet', text: 'Browser wallet', wallet: { isLegacy: true } },
    { name: 'no wallet', text: 'This browser has no wallet.', wallet: null },
  ])('does not move when $name is found', async ({ text, wallet }, { openPage, createWallet }) => {
    for (const width of [360, 1_280]) {
      const some = wallet && { wallet: createWallet(wallet) }
      const page = await openPage({ path: DONATE, width, ...some })
      await says(page, text)
      expect(await layoutShift(page)).toBeLessThan(0.01)
    }
  })
})

/** The requests that a wallet shows to the donor after it is connected. */
const MOVES = ['eth_signTypedData_v4', 'eth_sendTransaction', 'wallet_sendCalls']

describe('giving to an escrow', () => {
  test.for([
    { how: 'all calls at once', hasCalls: true, account: 1, times: 'once' },
    { how: 'a signature and two calls', hasCalls: false, account: 2, times: '3 times' },
  ])(
    'lists the requests of the wallet and their fees before it asks, and is recorded, with $how',
    async ({ hasCalls, account, times }, { openWithWallet, stack }) => {
      const { path } = await createCampaign(stack, { hasEscrow: true })
      const { page, wallet } = await openWithWallet(`${path}/donate`, { hasCalls, account })
      await connect(page, '20')
      await says(page, 'a transfer from an exchange goes back to the exchange')
      expect(await page.getByLabel('Wallet app or another device').count()).toBe(0)
      await says(page, 'so you pay for that too')
      await press(page, 'Next: see what your wallet asks')
      const id = await paidIn(page)
      const before = wallet.requests.filter(({ method }) => MOVES.includes(method))
      expect(before).toEqual([])
      await press(page, 'Connect Test Wallet')
      await says(page, `Your wallet asks ${times}`)
      await page
        .getByText(/about [\d.]+\sETH/)
        .filter({ visible: true })
        .first()
        .waitFor(WAIT)
      const listed = await page.locator('.step').filter({ visible: true }).count()
      await expectAccessible(page)
      await takeScreenshot(page, `give-escrow-steps-${listed}`)
      await press(page, /Give 20/)
      await credited(stack, id)
      expect((await readDonation(stack, id)) as object).toMatchObject({ refund: 'on_chain' })
      const asked = wallet.requests.filter(({ method }) => MOVES.includes(method))
      expect(asked).toHaveLength(listed)
    },
  )

  test('opens in a wallet app where the browser has no wallet, and shows no account', async ({
    openPage,
    stack,
  }) => {
    const { path, account } = await createCampaign(stack, { hasEscrow: true })
    for (const width of [390, 1_280]) {
      const page = await openPage({ path: `${path}/donate`, width })
      const app = page.getByRole('link', { name: 'MetaMask' })
      await app.waitFor(WAIT)
      const href = await app.getAttribute('href')
      expect(href).toMatch(/^https:\/\/link\.metamask\.io\/dapp\/[\w.]+(:\d+)?\/c\//)
      expect(href?.endsWith(`${path}/donate`)).toBe(true)
      expect(await page.getByLabel('Address of the wallet that pays').count()).toBe(0)
      expect(await page.locator('.qr').count()).toBe(0)
      expect(await page.content()).not.toContain(`data-copy="${account}"`)
      await takeScreenshot(page, `give-escrow-${width}`)
    }
  })

  test('goes on in a wallet app, whose browser does not know the donor', async ({
    openPage,
    openWithWallet,
    stack,
  }) => {
    const { id: campaignId } = await createCampaign(stack, { hasEscrow: true })
    const body = {
      campaignId,
      amount: { value: '5', currency: 'USDC' },
      donor: { walletAddress: stack.chain.addressOf(3) },
    }
    const { data } = (await ask(stack, 'POST', '/v1/donations', { body })) as {
      data: { id: string }
    }
    const path = `/d/${data.id}`
    const outside = await openPage({ path, width: 390 })
    await outside.getByRole('link', { name: 'Trust Wallet' }).waitFor(WAIT)
    expect(await outside.locator('.qr').count()).toBe(0)
    await takeScreenshot(outside, 'donation-how-to-pay-escrow')
    // Only the browser that made the donation may send the hash, so the service answers 401 here.
    // The service finds the donation by the paying wallet.
    const { page } = await openWithWallet(path, { account: 3 }, { allowed: [/status of 401/] })
    await press(page, 'Connect Test Wallet')
    await press(page, /Give 5/)
    await credited(stack, data.id)
    expect((await readDonation(stack, data.id)) as object).toMatchObject({ refund: 'on_chain' })
  })
})

describe('giving without a wallet in the browser', () => {
  test('works without JavaScript: a form, then a code and all data as text', async ({
    openPage,
    stack,
  }) => {
    const page = await openPage({ path: DONATE, javaScript: false })
    await page.getByLabel('Amount', { exact: true }).fill('16')
    await page.getByLabel('Address of the wallet that pays').fill(stack.chain.addressOf(0))
    await press(page, 'Show how to pay')
    await says(page, 'How to pay')
    await says(page, 'Send exactly 16')
    await page.getByRole('img', { name: /Code for a payment of 16/ }).waitFor(WAIT)
    await takeScreenshot(page, 'donation-how-to-pay')
    await page.getByText('I have sent the payment').click()
    await page.getByLabel('Hash of the transaction').fill('0x12')
    await press(page, 'Save the hash')
    await says(page, 'Enter the hash of a transaction')
  })

  test('leads from a wallet in the browser to a code for the phone', async ({
    openWithWallet,
    stack,
  }) => {
    const { page } = await openWithWallet(DONATE)
    await page.getByLabel('Wallet app or another device').check()
    await page.getByLabel('Address of the wallet that pays').fill('0x12')
    await page.getByLabel('Amount', { exact: true }).fill('17')
    await press(page, 'Show how to pay')
    await says(page, 'Please check this')
    const address = page.getByLabel('Address of the wallet that pays')
    expect(await address.inputValue()).toBe('0x12')
    await address.fill(stack.chain.addressOf(0))
    await press(page, 'Show how to pay')
    await page.getByRole('img', { name: /Code for a payment of 17/ }).waitFor(WAIT)
  })

  test('explains what a wallet is', async ({ openPage }) => {
    const page = await openPage({ path: DONATE })
    await says(page, 'This browser has no wallet.')
    await page.getByLabel('Address of the wallet that pays').waitFor(WAIT)
  })
})

describe('how to pay a promise', () => {
  test('begins on a phone with a wallet on it, and on a wide screen with a code', async ({
    openPage,
    stack,
  }) => {
    const { path } = await createCampaign(stack)
    for (const [account, width] of [390, 320, 1_280].entries()) {
      const page = await openPage({ path: `${path}/donate`, width })
      await page.getByLabel('Amount', { exact: true }).fill('16')
      await page.getByLabel('Address of the wallet that pays').fill(stack.chain.addressOf(account))
      await press(page, 'Show how to pay')
      await says(page, 'How to pay')
      const app = page.getByRole('link', { name: 'Open in a wallet on this phone' })
      const code = page.getByRole('img', { name: /Code for a payment of 16/ })
      const isPhone = width < 600
      expect(await app.isVisible()).toBe(isPhone)
      await code.waitFor(WAIT)
      await takeScreenshot(page, `pay-${width}`)
      const { y, height } = (await (isPhone ? app : code).boundingBox()) ?? { y: 0, height: 0 }
      if (width !== 320) expect(y + height).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0)
      expect(await page.getByText('Final and credited').isVisible()).toBe(false)
      await expectAccessible(page)
      if (!isPhone) continue
      expect(await app.getAttribute('href')).toMatch(/^ethereum:0x/)
      const wide = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(wide).toBeLessThanOrEqual(width)
    }
  })
})

describe('a server that does not answer', () => {
  /** The server hangs for all that is posted. */
  const hang = (page: Page) =>
    page.route('**/*', (route) =>
      route.request().method() === 'POST' ? undefined : route.fallback(),
    )

  test('does not keep the donor, who can stop and try again', async ({ openWithWallet }) => {
    const { page, wallet } = await openWithWallet(DONATE, { account: 4 })
    await connect(page, '18')
    await hang(page)
    await press(page, /Give 18/)
    await says(page, 'We have had no answer for 8 seconds.')
    await press(page, 'Stop waiting')
    await page.unroute('**/*')
    await press(page, /Give 18/)
    await page.getByRole('heading', { name: /18.USDC for/ }).waitFor(WAIT)
    expect(wallet.asked('eth_sendTransaction')).toHaveLength(1)
  })

  test('does not keep the donor after the payment', async ({ openWithWallet }) => {
    const { page } = await openWithWallet(DONATE, { account: 6 })
    await connect(page, '19')
    await page.route('**/hash', () => undefined)
    await press(page, /Give 19/)
    await says(page, 'Your payment is sent.')
    await page.getByRole('link', { name: 'Go to your donation' }).waitFor(WAIT)
    await page.getByRole('heading', { name: /19.USDC for/ }).waitFor(WAIT)
  })

  test('leaves a form a sentence and a way back to its page', async ({ openPage }) => {
    const path = '/c/clean-water-for-bako/paid'
    const page = await openPage({ path })
    await hang(page)
    // The browser tells the test, because locators would wait for the answer of the server.
    const { promise: shown, resolve } = Promise.withResolvers<string>()
    await page.exposeFunction('noteShown', resolve)
    await page.evaluate(() => {
      const { noteShown } = window as unknown as { noteShown: (html: string) => void }
      const note = document.querySelector('[data-slow]')
      const watch = () => noteShown(note?.outerHTML ?? '')
      if (note) new MutationObserver(watch).observe(note, { attributes: true })
    })
    await page.getByRole('button', { name: 'Find my payment' }).click({ noWaitAfter: true })
    const note = await shown
    expect(note).toContain('The server has not answered for 8 seconds.')
    expect(note).toContain(`href="${path}"`)
    expect(note).not.toContain('hidden')
  })
})

describe('when giving is not possible', () => {
  test('says that the campaign was closed meanwhile, and asks the wallet for nothing', async ({
    openWithWallet,
    stack,
  }) => {
    const { id, path } = await createCampaign(stack)
    const allowed = [/status of 409/]
    const { page, wallet } = await openWithWallet(`${path}/donate`, {}, { allowed })
    await connect(page)
    await cancel(stack, id)
    await press(page, /Give 25/)
    await says(page, 'This campaign has just stopped taking donations.')
    expect(await page.getByRole('button', { name: /Give/ }).count()).toBe(0)
    expect(wallet.asked('eth_sendTransaction')).toHaveLength(0)
  })

  test('refuses a sanctioned wallet for legal reasons', async ({ openWithWallet }) => {
    const allowed = [/status of 451/]
    const { page, wallet } = await openWithWallet(DONATE, { account: 8 }, { allowed })
    expect(readFileSync(SANCTIONS_FILE, 'utf8')).toBe(`${wallet.address().toLowerCase()}\n`)
    await connect(page)
    await press(page, /Give 25/)
    await says(page, 'The law forbids us to take part in transfers with this wallet.')
    expect(wallet.asked('eth_sendTransaction')).toHaveLength(0)
  })
})
