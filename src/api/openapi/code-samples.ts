import samples from './code-samples.json' with { type: 'json' }
import type { JsonSchema } from './json-schema.ts'

/** The languages of the client libraries. `npm run clients` writes their samples. */
const LANGUAGES = { javascript: 'JavaScript', python: 'Python', php: 'PHP' } as const

type Sample = Readonly<Record<keyof typeof LANGUAGES, string>>

const SAMPLES: Readonly<Record<string, Sample>> = samples

/** The field `x-codeSamples` of an operation, which tools show beside its description. */
export const codeSamples = (operationId: string): JsonSchema => {
  const sample = SAMPLES[operationId]
  if (!sample) return {}
  return {
    'x-codeSamples': Object.entries(LANGUAGES).map(([key, label]) => ({
      lang: label,
      label,
      source: sample[key as keyof Sample],
    })),
  }
}
