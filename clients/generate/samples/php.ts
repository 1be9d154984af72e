import { quoted } from '../javascript/source.ts'
import type { ClientModel, OperationModel } from '../model.ts'
import { type Part, print } from './print.ts'
import { argumentsOf, shownField, variableOf } from './sample.ts'
import { named, type Writer } from './values.ts'

const TAB = '    '

const writer: Writer = {
  // PHP reads `
  // ` as a line break only in double quotes.
  text: (value) =>
    value.includes('\n') ? JSON.stringify(value).replaceAll('$', '\\$') : quoted(value),
  boolean: String,
  null: 'null',
  time: (value) => `new DateTimeImmutable(${quoted(value.replace('.000Z', 'Z'))})`,
  name: (field) => field,
  list: (items) => ({ open: '[', items, close: ']' }),
  map: (entries) => ({
    open: '[',
    items: named(
      entries.map(([key, part]) => [quoted(key), part]),
      ' => ',
    ),
    close: ']',
  }),
  object: (name, fields) => ({ open: `new ${name}(`, items: named(fields, ': '), close: ')' }),
}

/** The start of a sample, before its calls. */
export const phpHead = (uses: string): string => {
  const classes = [...new Set([...uses.matchAll(/new (\w+)\(/g)].map(([, name = '']) => name))]
  const models = classes.filter((name) => name !== 'DateTimeImmutable').sort()
  return [
    'use Fundproof\\Client;',
    ...models.map((name) => `use Fundproof\\Model\\${name};`),
    '',
    '$fundproof = new Client();',
    '',
  ].join('\n')
}

/** A call, and a use of its answer. */
export const phpCall = (model: ClientModel, operation: OperationModel): string => {
  const { at, answer, body } = operation
  const { path, fields } = argumentsOf(model, writer, operation)
  const file = body?.kind === 'file' ? ["file_get_contents('cover.png')", "'image/png'"] : []
  const call: Part = {
    open: `$fundproof->${at.join('.').replaceAll('.', '->')}(`,
    items: [...path, ...file, ...named(fields, ': ')],
    close: ')',
  }
  const variable = `$${variableOf(operation)}`
  if (answer.kind === 'list' || answer.kind === 'stream') {
    const loop = print(call, 'foreach (', TAB)
    const shown = `${variable}->${shownField(model, operation)}`
    return `${loop} as ${variable}) {\n${TAB}echo ${shown}, PHP_EOL;\n}`
  }
  return `${print(call, answer.kind === 'none' ? '' : `${variable} = `, TAB)};`
}
