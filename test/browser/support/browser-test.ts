import { test as vitestTest } from 'vitest'
import { hasAnvil } from '../../support/test-chain.ts'
import { hasChromium, launchChromium } from './chromium.ts'
import { createPageOpener, type PageOptions } from './open-page.ts'
import { SANCTIONS_FILE, startStack } from './stack.ts'
import { createTestWallet, type WalletOptions } from './wallet.ts'

/**
 * Turns off the limits of requests, and takes a visitor's country from a header that only tests
 * send.
 */
const ENV = {
  RATE_LIMIT_ANONYMOUS: '0',
  RATE_LIMIT_USER: '0',
  RATE_LIMIT_LOGIN: '0',
  BLOCKED_COUNTRIES: 'KP',
  COUNTRY_HEADER: 'x-country',
  DEPOSIT_GRACE_MINUTES: '0',
  SANCTIONS_FILE,
}

/**
 * The `test` function of all browser tests. All files that one worker process runs share one
 * service and one browser, one file at a time. So each test changes only campaigns and users of its
 * own.
 *
 * - `stack`: the service, as `npm start` runs it
 * - `openPage`: opens a page with its own cookies; the test fails if the page has a problem
 * - `createWallet`: makes a wallet for `openPage({ wallet })`
 * - `openWithWallet`: opens a path in a browser with a wallet, and returns both
 */
export const test = vitestTest
  .extend('env', { scope: 'worker' }, ENV)
  .extend('world', { scope: 'worker' }, async ({ env }, { onCleanup }) => {
    const [browser, stack] = await Promise.all([launchChromium(), startStack(env)])
    onCleanup(async () => {
      await Promise.all([browser.close(), stack.stop()])
    })
    return { browser, stack }
  })
  .extend('stack', { scope: 'worker' }, ({ world }) => world.stack)
  .extend('openPage', async ({ world, onTestFailed }, { onCleanup }) => {
    onTestFailed(() => console.log(`The service said last:\n${world.stack.output().slice(-5_000)}`))
    const { open, close } = createPageOpener(world.browser, world.stack)
    onCleanup(close)
    return open
  })
  .extend(
    'createWallet',
    ({ stack }) =>
      (options?: WalletOptions) =>
        createTestWallet(stack, options),
  )
  .extend(
    'openWithWallet',
    ({ openPage, createWallet }) =>
      async (path: string, options?: WalletOptions, pageOptions?: PageOptions) => {
        const wallet = createWallet(options)
        return { wallet, page: await openPage({ path, wallet, ...pageOptions }) }
      },
  )
  .skipIf(!hasChromium || !hasAnvil)
