import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import type { Stack } from './stack.ts'
import type { TestWallet } from './wallet.ts'

export type PageOptions = {
  /** Where the page opens. Default: an empty page. */
  path?: string
  lang?: 'en' | 'de' | 'es' | 'fr' | 'pt'
  theme?: 'light' | 'dark'
  /** The width of the window in CSS pixels. Default 1280. */
  width?: number
  /** Whether the page runs scripts. Default true. */
  javaScript?: boolean
  wallet?: TestWallet
  /** Problems that the test expects. */
  allowed?: RegExp[]
  /** Further options of the browser's context, such as `forcedColors` and `extraHTTPHeaders`. */
  context?: BrowserContextOptions
}

export type OpenPage = (options?: PageOptions) => Promise<Page>

const HEIGHTS = { wide: 900, narrow: 740 }

/**
 * Reports a violation of the Content Security Policy as an error in the console, in every browser.
 */
const REPORT_VIOLATIONS = `addEventListener('securitypolicyviolation', (event) =>
  console.error('policy violated:', event.violatedDirective, event.blockedURI, event.sample))`

/**
 * Opens pages, each in a context with its own cookies. `close` closes all pages, and fails if a
 * page has had a problem: an error in the console, an exception, a violation of the Content
 * Security Policy, or a request to another host.
 */
export const createPageOpener = (browser: Browser, stack: Stack) => {
  const contexts: BrowserContext[] = []
  const problems: string[] = []
  const open: OpenPage = async (options = {}) => {
    const width = options.width ?? 1_280
    const context = await browser.newContext({
      baseURL: stack.origin,
      viewport: { width, height: width < 600 ? HEIGHTS.narrow : HEIGHTS.wide },
      locale: options.lang ?? 'en',
      colorScheme: options.theme ?? 'light',
      javaScriptEnabled: options.javaScript ?? true,
      ...options.context,
    })
    contexts.push(context)
    const { allowed = [] } = options
    watch(context, stack.origin, (problem) => {
      if (!allowed.some((one) => one.test(problem))) problems.push(problem)
    })
    await context.addInitScript(REPORT_VIOLATIONS)
    await options.wallet?.addTo(context)
    const page = await context.newPage()
    if (options.path !== undefined) await page.goto(options.path)
    return page
  }
  const close = async (): Promise<void> => {
    await Promise.all(contexts.map((context) => context.close()))
    if (problems.length > 0) throw new Error(problems.join('\n'))
  }
  return { open, close }
}

const watch = (
  context: BrowserContext,
  origin: string,
  report: (problem: string) => void,
): void => {
  const documents = new Set<string>()
  context.on('request', (request) => {
    if (request.isNavigationRequest()) documents.add(request.url())
    const { protocol, origin: asked } = new URL(request.url())
    if (protocol.startsWith('http') && asked !== origin) report(`request to ${request.url()}`)
  })
  context.on('weberror', (error) => report(`exception: ${error.error().message}`))
  context.on('console', (message) => {
    const { url } = message.location()
    // The browser logs each page that has an error status. Those logs are no problem, because tests
    // assert the status themselves.
    const isOwnStatus = documents.has(url) && /status of [45]\d\d/.test(message.text())
    if (message.type() === 'error' && !isOwnStatus) report(`console: ${message.text()} (${url})`)
  })
}
