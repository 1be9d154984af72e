import { quoted } from '../javascript/source.ts'
import type { ClientModel, OperationModel } from '../model.ts'
import { type Part, print } from './print.ts'
import { argumentsOf, shownField, variableOf } from './sample.ts'
import { named, type Writer } from './values.ts'

const braces = (open: string, items: readonly Part[], close: string): Part =>
  items.length === 0
    ? `${open}{}${close}`
    : { open: `${open}{`, items, close: `}${close}`, pad: ' ' }

const writer: Writer = {
  text: quoted,
  boolean: String,
  null: 'null',
  time: quoted,
  name: (field) => field,
  list: (items) => ({ open: '[', items, close: ']' }),
  map: (entries) =>
    braces(
      '',
      named(
        entries.map(([key, part]) => [quoted(key), part]),
        ': ',
      ),
      '',
    ),
  object: (_, fields) => braces('', named(fields, ': '), ''),
}

/** The start of a sample, before its calls. */
export const javascriptHead = (uses: string): string =>
  [
    ...(uses.includes('readFile(') ? ["import { readFile } from 'node:fs/promises'"] : []),
    "import { Fundproof } from 'fundproof'",
    '',
    'const fundproof = new Fundproof()',
    '',
  ].join('\n')

/** A call, and a use of its answer. */
export const javascriptCall = (model: ClientModel, operation: OperationModel): string => {
  const { at, answer, body } = operation
  const { path, fields } = argumentsOf(model, writer, operation)
  const open = `fundproof.${at.join('.')}(`
  const file: Part[] =
    body?.kind === 'file' ? ["{ data: await readFile('cover.png'), type: 'image/png' }"] : []
  const before = path.map((segment) => `${segment}, `).join('')
  const call: Part =
    fields.length === 0
      ? { open, items: [...path, ...file], close: ')' }
      : braces(open + before, named(fields, ': '), ')')
  const variable = variableOf(operation)
  if (answer.kind === 'list' || answer.kind === 'stream') {
    const loop = print(call, `for await (const ${variable} of `)
    return `${loop}) {\n  console.log(${variable}.${shownField(model, operation)})\n}`
  }
  return print(call, answer.kind === 'none' ? 'await ' : `const ${variable} = await `)
}
