import { HEADER } from './emitter.ts'
import type { ClientModel } from './model.ts'
import { phpTable, startFile } from './php/file.ts'
import { emitEnums, emitModels, emitUnions } from './php/models.ts'
import { createClassNames, quote } from './php/names.ts'
import { emitResources } from './php/resources.ts'

/** Makes the generated files in one folder of the PHP client, by their paths in the folder. */
export const emitPhp =
  (folder: string) =>
  (model: ClientModel): Record<string, string> => {
    const head = `// ${HEADER}`
    const files = [
      ...emitEnums(model, head),
      ...emitModels(model, head),
      ...emitUnions(model, head),
      ...emitResources(model, head),
      emitEventTypes(model, head),
      emitSpec(model, head),
    ]
    return Object.fromEntries(
      files
        .filter(([path]) => path.startsWith(`${folder}/`))
        .map(([path, text]) => [path.slice(folder.length + 1), text]),
    )
  }

const emitEventTypes = (model: ClientModel, head: string) => {
  const file = startFile({ namespace: 'Fundproof\\Event', name: 'EventTypes' }, head)
  const classOf = createClassNames(model)
  const entries = model.events.map(({ type, object }): [string, string] => [
    type,
    `${classOf(object).name}::class`,
  ])
  return file.finish(`/** The class of each type of event. */
final class EventTypes
{
${phpTable('CLASSES', entries)}}
`)
}

const emitSpec = ({ version, sha256, operations }: ClientModel, head: string) => {
  const file = startFile({ namespace: 'Fundproof\\Resource', name: 'Spec' }, head)
  const entries = operations.map(({ at, id }): [string, string] => [at.join('.'), quote(id)])
  return file.finish(`/** The document that this version of the library is made from. */
final class Spec
{
    public const VERSION = ${quote(version)};
    public const SHA256 = ${quote(sha256)};

    /** The operation of each method. */
${phpTable('OPERATIONS', entries)}}
`)
}
