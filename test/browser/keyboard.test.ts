import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { test } from './support/browser-test.ts'

const MAX_STEPS = 80

/** Returns the name of the focused element, and whether its focus is visible on the screen. */
const FOCUSED = `(() => {
  const one = document.activeElement
  const { top, bottom, width } = one.getBoundingClientRect()
  const label = one.labels?.[0] ?? one
  const { outlineStyle, outlineWidth } = getComputedStyle(one)
  return {
    name: label.textContent.replaceAll(/\\s+/g, ' ').trim(),
    isSeen: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2
      && width > 0 && bottom > 0 && top < innerHeight,
  }
})()`

/**
 * Presses Tab until the element with this name has the focus. The focus must be visible after each
 * Tab.
 */
const tabTo = async (page: Page, name: string | RegExp): Promise<void> => {
  for (let step = 0; step < MAX_STEPS; step += 1) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate<{ name: string; isSeen: boolean }>(FOCUSED)
    expect(focused).toEqual({ ...focused, isSeen: true })
    if (typeof name === 'string' ? focused.name === name : name.test(focused.name)) return
  }
  throw new Error(`Tab does not reach ${name}.`)
}

test('a visitor gives and checks the proof with the keyboard alone', async ({ openWithWallet }) => {
  const { page } = await openWithWallet('/')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(FOCUSED)).toEqual({ name: 'Skip to the content', isSeen: true })
  await page.keyboard.press('Enter')
  await tabTo(page, 'Clean water for Bako')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Clean water for Bako' }).waitFor()
  await tabTo(page, 'Donate')
  await page.keyboard.press('Enter')
  await page.getByRole('radio', { name: 'Test Wallet' }).waitFor()
  await tabTo(page, 'Amount')
  await page.keyboard.type('7')
  await tabTo(page, 'Connect Test Wallet')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Give 7 USDC' }).waitFor()
  // The button 'Connect Test Wallet' has become this button, so the focus is already on it.
  expect(await page.evaluate(FOCUSED)).toEqual({ name: 'Give 7 USDC', isSeen: true })
  await page.keyboard.press('Enter')
  await page.getByText('You can check the proof below, without trusting us.').waitFor()
  await tabTo(page, 'Check this proof')
  await page.keyboard.press('Enter')
  await page.getByText('The donation is proven.').waitFor()
})

test('a form with a mistake names it, and keeps what was typed', async ({ openPage }) => {
  const page = await openPage({ path: '/c/clean-water-for-bako/donate' })
  await page.getByLabel('Amount', { exact: true }).fill('much')
  await page.getByLabel('Address of the wallet that pays').fill('0x12')
  await page.getByRole('button', { name: 'Show how to pay' }).click()
  await page.getByRole('alert').waitFor()
  expect(await page.getByLabel('Amount', { exact: true }).inputValue()).toBe('much')
  expect(await page.getByLabel('Amount', { exact: true }).getAttribute('aria-invalid')).toBe('true')
})

test('nothing moves for a visitor who asked for less motion', async ({ openPage }) => {
  const page = await openPage({
    path: '/c/clean-water-for-bako',
    context: { reducedMotion: 'reduce' },
  })
  const moving = await page.evaluate(`[...document.querySelectorAll('*')].filter((one) => {
    const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(one)
    return /[1-9]/.test(transitionDuration) || animationName !== 'none' || scrollBehavior === 'smooth'
  }).map((one) => one.tagName + '.' + one.className)`)
  expect(moving).toEqual([])
})
