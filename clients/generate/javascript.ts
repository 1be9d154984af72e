import { HEADER } from './emitter.ts'
import { emitFacts } from './javascript/facts.ts'
import { emitOperations } from './javascript/operations.ts'
import { emitResources } from './javascript/resources.ts'
import { emitShapes } from './javascript/shapes.ts'
import { emitTypes } from './javascript/types.ts'
import type { ClientModel } from './model.ts'

/** Makes the generated files of the JavaScript client. */
export const emitJavaScript = (model: ClientModel): Record<string, string> => {
  const header = `// ${HEADER}`
  const files = {
    'facts.ts': emitFacts(model),
    'operations.ts': emitOperations(model),
    'shapes.ts': emitShapes(model),
    'types.ts': emitTypes(model),
    ...emitResources(model),
  }
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [path, `${header}\n\n${text.trim()}\n`]),
  )
}
