import { join } from 'node:path'
import type { Page } from 'playwright-core'

const FOLDER = process.env.SCREENSHOTS

/** Writes a picture of the whole page into the folder `SCREENSHOTS`, if that variable is set. */
export const takeScreenshot = async (page: Page, name: string): Promise<void> => {
  if (FOLDER) await page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage: true })
}
