import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const PATH = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** Whether Chromium is at the path in `CHROMIUM`, or where Debian installs it. */
export const hasChromium = existsSync(PATH)

/** Makes Chromium resolve local names only, so that tests reach no other host. */
const NO_OTHER_HOSTS = 'MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost'

/**
 * Replaces Playwright's list of disabled features. Of that list the first three matter here. For
 * the last three each browser context would start extra processes: 15 contexts take 25 s of
 * processor time with those features, and 15 s without.
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
  // Without this flag a process emulates a graphics card, which takes an eighth of the time of the
  // tests.
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
