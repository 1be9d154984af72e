import { join } from 'node:path'
import type { Page } from 'playwright-core'

const FOLDER = process.env.SCREENSHOTS ?? join(import.meta.dirname, '../screenshots')

/** Writes a picture of the whole page into `test/browser/screenshots`, or into `SCREENSHOTS`. */
export const takeScreenshot = async (page: Page, name: string): Promise<void> => {
  await page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage: true })
}
