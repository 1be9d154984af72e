import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const PATH = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** Whether this machine has Chromium, at the path in `CHROMIUM` or where Debian installs it. */
export const hasChromium = existsSync(PATH)

/** Chromium looks up only the names of this machine, so that it reaches no other host. */
const NO_OTHER_HOSTS = 'MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost'

/**
 * Replaces Playwright's list, of which the first three matter here. Each context starts processes
 * for the others, which no test sees: 25 s of processor time for 15 contexts, 15 s without them.
 */
const DISABLED_FEATURES = [
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'PaintHolding',
  'SpareRendererForSitePerProcess',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
]

const ARGS = [
  '--no-sandbox',
  // Without it a process emulates a graphics card: an eighth of the time of these tests.
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-dev-shm-usage',
  `--disable-features=${DISABLED_FEATURES}`,
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
  `--host-resolver-rules=${NO_OTHER_HOSTS}`,
]

/** Starts a headless Chromium. */
export const launchChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: PATH, args: ARGS })

/**
 * Runs once before the tests of the project `browser`. Without Chromium the tests are skipped, but
 * fail in CI.
 */
export const setup = (): void => {
  if (hasChromium) return
  const line = `There is no Chromium at ${PATH}: install it, or set CHROMIUM.`
  if (process.env.CI) throw new Error(line)
  console.warn(`${line} The tests of the pages are skipped.`)
}
