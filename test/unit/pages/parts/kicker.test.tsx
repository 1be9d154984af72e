import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { Kicker } from '../../../../src/pages/parts/campaign-parts.tsx'

const placeIn = (country: string) => {
  const campaign = {
    category: null,
    creatorName: null,
    location: { country, region: 'Oromia', coordinates: null },
  }
  return renderToString(<Kicker campaign={campaign} lang="de" />)
}

test('names a country by its code in the language, and takes any other text as it is', () => {
  expect(placeIn('ET')).toContain('Oromia, Äthiopien')
  expect(placeIn('Ethiopia')).toContain('Oromia, Ethiopia')
  expect(placeIn('ZZZ')).toContain('Oromia, ZZZ')
})
