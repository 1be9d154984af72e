import type { Page } from 'playwright-core'

/** A file that a page has loaded. `size` is the number of bytes of its body as they were sent. */
type LoadedFile = { path: string; type: string; coding: string | null; size: number }

/** The files that a page has loaded until now, without streams. */
export type Loaded = {
  files: readonly LoadedFile[]
  /** The number of bytes that were sent for all files of a type, such as `script`. */
  sizeOf(type: string): number
}

/** Opens a path, and measures every file that the page loads, also later. */
export const loadMeasured = async (page: Page, path: string): Promise<Loaded> => {
  const files: LoadedFile[] = []
  const measured: Promise<void>[] = []
  page.on('requestfinished', (request) => {
    const measure = async () => {
      const headers = (await (await request.response())?.allHeaders()) ?? {}
      files.push({
        path: new URL(request.url()).pathname,
        type: request.resourceType(),
        coding: headers['content-encoding'] ?? null,
        size: Number(headers['content-length'] ?? Number.NaN),
      })
    }
    measured.push(measure().catch(unlessClosed))
  })
  await page.goto(path)
  await page.evaluate('document.fonts.ready.then(() => undefined)')
  await Promise.all(measured)
  return {
    files,
    sizeOf: (type) =>
      files.filter((file) => file.type === type).reduce((sum, { size }) => sum + size, 0),
  }
}

/** Ignores the error of a file whose page the test closed while the file was loading. */
const unlessClosed = (error: Error): void => {
  if (!error.message.includes('closed')) throw error
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
