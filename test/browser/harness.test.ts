import { expect } from 'vitest'
import { expectAccessible } from './support/axe.ts'
import { test } from './support/browser-test.ts'
import { createPageOpener } from './support/open-page.ts'

test.for([
  ['an error in the console', `console.error('lost')`, /console: lost/],
  ['an exception', `setTimeout(() => { throw new Error('broken') })`, /exception: broken/],
  [
    'a violation',
    `document.body.setAttribute('style', 'color: red')`,
    /policy violated: style-src/,
  ],
])('a page fails its test because of %s', async ([, script = '', problem], { world }) => {
  const { open, close } = createPageOpener(world.browser, world.stack)
  const page = await open({ path: '/' })
  const after = page.waitForEvent('console', (message) => message.text() === 'after')
  await page.evaluate(`${script}; setTimeout(() => console.info('after'))`)
  await after
  await expect(close()).rejects.toThrow(problem)
})

test('a page fails its test if it asks another host', async ({ world }) => {
  const { open, close } = createPageOpener(world.browser, world.stack)
  const page = await open()
  await expect(page.goto('http://example.org/')).rejects.toThrow(/ERR_NAME_NOT_RESOLVED/)
  await expect(close()).rejects.toThrow('request to http://example.org/')
})

test('a page fails its test if an element is not accessible', async ({ openPage }) => {
  const page = await openPage()
  await page.setContent('<html lang="en"><title>Page</title><main><h1>Page</h1><input></main>')
  await expect(expectAccessible(page)).rejects.toThrow(/label input/)
})
