import { expect } from 'vitest'

/** Expects each of these texts in a page. */
export const expectTexts = (page: string, ...texts: (string | undefined)[]): void => {
  for (const text of texts) expect(page).toContain(text)
}

/** Expects none of these texts in a page. */
export const expectNone = (page: string, ...texts: string[]): void => {
  for (const text of texts) expect(page).not.toContain(text)
}
