import type { ClientModel, OperationModel } from './model.ts'
import { javascriptCall, javascriptHead } from './samples/javascript.ts'
import { phpCall, phpHead } from './samples/php.ts'
import { pythonCall, pythonHead } from './samples/python.ts'

/** How to write samples of a language. */
export type SampleLanguage = {
  /** The program before the calls, with everything that these calls need. */
  head: (calls: string) => string
  /** A call, and a use of its answer. */
  call: (model: ClientModel, operation: OperationModel) => string
}

export const SAMPLE_LANGUAGES = {
  javascript: { head: javascriptHead, call: javascriptCall },
  python: { head: pythonHead, call: pythonCall },
  php: { head: phpHead, call: phpCall },
} as const satisfies Record<string, SampleLanguage>

type Language = keyof typeof SAMPLE_LANGUAGES

/** The file of the samples, from the root of the repository. The document includes them. */
export const SAMPLES_FILE = 'src/api/openapi/code-samples.json'

/** The samples of each operation by its operationId. Helpers have no samples. */
export const samplesOf = (model: ClientModel): Record<string, Record<Language, string>> => {
  const own = model.operations.filter(
    ({ without, fixedQuery }) => without.length === 0 && Object.keys(fixedQuery).length === 0,
  )
  const write = (operation: OperationModel) =>
    Object.fromEntries(
      Object.entries(SAMPLE_LANGUAGES).map(([language, { head, call }]) => {
        const text = call(model, operation)
        return [language, `${head(text)}${text}`]
      }),
    ) as Record<Language, string>
  return Object.fromEntries(own.map((operation) => [operation.id, write(operation)]))
}

/** The content of the file of the samples. */
export const samplesText = (model: ClientModel): string =>
  `${JSON.stringify(samplesOf(model), undefined, 2)}\n`
