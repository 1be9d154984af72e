import { HEADER } from './emitter.ts'
import type { ClientModel } from './model.ts'
import { clientFile } from './python/client.ts'
import { factsFile, versionFile } from './python/facts.ts'
import { modulesOf } from './python/modules.ts'
import { resourceFiles } from './python/resources.ts'
import { typeFiles } from './python/types.ts'

/** Makes the generated files of the Python client, by their paths in its package. */
export const emitPython = (model: ClientModel): Record<string, string> => {
  const modules = modulesOf(model)
  const head = `# ${HEADER}`
  const files: [path: string, body: string][] = [
    ...typeFiles(model, modules),
    ...resourceFiles(model, modules),
    clientFile(model),
    factsFile(model),
    versionFile(model),
    ['_generated/__init__.py', '"""Made from the OpenAPI document."""\n'],
    ['_generated/types/__init__.py', '"""The objects of the interface."""\n'],
    ['_generated/resources/__init__.py', '"""The methods of the interface."""\n'],
  ]
  return Object.fromEntries(files.map(([path, body]) => [path, `${head}\n${body}`]))
}
