import { test } from 'vitest'
import { hasAnvil } from '../../support/test-chain.ts'
import { hasChromium, launchChromium } from './chromium.ts'
import { createPageOpener } from './open-page.ts'
import { startStack } from './stack.ts'
import { createTestWallet, type WalletOptions } from './wallet.ts'

/**
 * Makes the `test` of a file. Its tests share one service and one browser:
 *
 * - `stack`: the service, as `npm start` runs it, with `env`
 * - `openPage`: opens a page with its own cookies; the test fails if the page has a problem
 * - `createWallet`: makes a wallet for `openPage({ wallet })`
 */
export const createBrowserTest = (env: Record<string, string> = {}) =>
  test
    .extend('env', { scope: 'file' }, env)
    .extend('world', { scope: 'file' }, async ({ env }, { onCleanup }) => {
      const browser = await launchChromium()
      const stack = await startStack(env)
      onCleanup(async () => {
        await browser.close()
        await stack.stop()
      })
      return { browser, stack }
    })
    .extend('stack', { scope: 'file' }, ({ world }) => world.stack)
    .extend('openPage', async ({ world }, { onCleanup }) => {
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
    .skipIf(!hasChromium || !hasAnvil)
