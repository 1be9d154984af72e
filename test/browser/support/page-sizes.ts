import type { Page } from 'playwright-core'

/** The compressed sizes of what a page has loaded, in bytes, and the number of its requests. */
export type PageSizes = {
  document: number
  script: number
  stylesheet: number
  font: number
  requests: number
}

/** Opens a path, and measures all that the page loads until it is complete. Streams do not count. */
export const loadMeasured = async (page: Page, path: string): Promise<PageSizes> => {
  const sizes: PageSizes = { document: 0, script: 0, stylesheet: 0, font: 0, requests: 0 }
  const measured: Promise<void>[] = []
  page.on('requestfinished', (request) => {
    const measure = async () => {
      const { responseBodySize } = await request.sizes()
      const type = request.resourceType()
      sizes.requests += 1
      if (type === 'document' || type === 'script' || type === 'stylesheet' || type === 'font') {
        sizes[type] += responseBodySize
      }
    }
    measured.push(measure())
  })
  await page.goto(path)
  await page.evaluate('document.fonts.ready.then(() => undefined)')
  await Promise.all(measured)
  return sizes
}

/** How far content has moved since the page was opened, as Chromium's layout shift score. */
export const layoutShift = (page: Page): Promise<number> =>
  page.evaluate(`new Promise((resolve) => {
    let score = 0
    const add = (list) => { for (const { value } of list.getEntries()) score += value }
    const observer = new PerformanceObserver(add)
    observer.observe({ type: 'layout-shift', buffered: true })
    requestAnimationFrame(() => setTimeout(() => {
      add({ getEntries: () => observer.takeRecords() })
      resolve(score)
    }))
  })`)
