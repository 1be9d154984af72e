import { expect, test } from 'vitest'
import { wantsAmountsAsText } from '../../../src/edge/request/preference.ts'

test('reads the preference for amounts as text in every form that RFC 7240 allows', () => {
  for (const header of [
    'amounts=text',
    'Amounts = "text"',
    'respond-async, amounts=text',
    'amounts=text; foo="bar", handling=lenient',
  ]) {
    expect([header, wantsAmountsAsText(header)]).toEqual([header, true])
  }
  for (const header of [undefined, '', 'amounts', 'amounts=number', 'x-amounts=text', 'text']) {
    expect([header, wantsAmountsAsText(header)]).toEqual([header, false])
  }
})
