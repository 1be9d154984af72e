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
  await expectWhole(page)
}

/** A small phone, a phone with text of twice the size, and a wide window with such text. */
const ZOOMS = [
  { width: 320, text: '100%' },
  { width: 360, text: '200%' },
  { width: 1_280, text: '200%' },
]

/** Checks that no text is cut off or covers other text (WCAG 1.4.10 and 1.4.4). */
export const expectWhole = async (page: Page): Promise<void> => {
  const wide: string[] = []
  for (const { width, text } of ZOOMS) {
    await page.setViewportSize({ width, height: HEIGHT })
    await page.evaluate(`document.documentElement.style.fontSize = '${text}'`)
    for (const element of await tooWide(page)) wide.push(`${width} ${text} ${element}`)
  }
  expect(wide).toEqual([])
}

/**
 * The visible elements that are wider than the window, or whose content is wider than their box.
 * Texts for screen readers have no place on the screen. Values of fields and wide tables scroll.
 */
const tooWide = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.body.querySelectorAll('*:not(svg *, input, select, textarea)')]
    .filter((one) => one.checkVisibility() && !one.closest('.visually-hidden, .skip:not(:focus), .wide')
      && one.closest('thead')?.offsetWidth !== 1)
    .filter((one) => {
      const { left, right, width } = one.getBoundingClientRect()
      const isBox = width > 1 && getComputedStyle(one).display !== 'inline'
      return right > innerWidth + 1 || left < -1 || (isBox && one.scrollWidth > one.clientWidth + 1
        && one.scrollWidth > Math.ceil(width) + 1)
    })
    .map((one) => one.tagName.toLowerCase() + '.' + (one.getAttribute('class') ?? '')
      + ': ' + one.textContent.trim().slice(0, 40))`)
