import { expect, test } from 'vitest'
import { LANGUAGES } from '../../../../src/pages/shared/languages.ts'
import { layoutTexts } from '../../../../src/pages/texts/layout/index.ts'

test.each(LANGUAGES)('says in %s since when a page is not live', (lang) => {
  // The browser replaces {time} once, with the time in its own zone.
  expect(layoutTexts[lang].notLive.split('{time}')).toHaveLength(2)
})
