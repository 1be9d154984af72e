import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { isFull } from '../../support/full.ts'
import { expectAccessible, expectColours } from './axe.ts'

const HEIGHT = 800
/** Fast runs check only the width of a phone, which shows the same elements as a wide window. */
const WIDTHS = isFull ? [1_280, 360] : [360]

/**
 * Checks a page in the state that `text` shows:
 * - accessibility in light and dark at `WIDTHS`, and colours with forced colours
 * - no overflow at 320 pixels (WCAG 1.4.10), and with text of twice the size (WCAG 1.4.4)
 */
export const expectReadable = async (page: Page, text: RegExp): Promise<void> => {
  await page.getByText(text).filter({ visible: true }).first().waitFor()
  await page.emulateMedia({ forcedColors: 'active' })
  await expectColours(page)
  await page.emulateMedia({ forcedColors: 'none' })
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT })
    await page.emulateMedia({ colorScheme: 'light' })
    await expectAccessible(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectColours(page)
  }
  await page.setViewportSize({ width: 320, height: HEIGHT })
  expect(await overflow(page)).toEqual([])
  await page.setViewportSize({ width: 1_280, height: HEIGHT })
  await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
  expect(await overflow(page)).toEqual([])
}

/** Lists the elements that make the page wider than the window. */
const overflow = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.body.querySelectorAll('*')]
    .filter((one) => document.documentElement.scrollWidth > innerWidth
      && one.getBoundingClientRect().right > innerWidth)
    .map((one) => one.tagName.toLowerCase() + '.' + (one.getAttribute('class') ?? ''))`)
