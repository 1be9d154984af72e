import type { ClientModel, OperationModel } from '../model.ts'
import { type Part, print } from './print.ts'
import { argumentsOf, shownField, variableOf } from './sample.ts'
import { named, type Writer } from './values.ts'

const TAB = '    '
const snake = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const writer: Writer = {
  text: JSON.stringify,
  boolean: (value) => (value ? 'True' : 'False'),
  null: 'None',
  time: (value) => {
    const time = new Date(value)
    const date = [time.getUTCFullYear(), time.getUTCMonth() + 1, time.getUTCDate()]
    const seconds = time.getUTCSeconds() === 0 ? [] : [time.getUTCSeconds()]
    const parts = [...date, time.getUTCHours(), time.getUTCMinutes(), ...seconds]
    return `datetime(${parts.join(', ')}, tzinfo=timezone.utc)`
  },
  name: (field) => (field === 'from' ? 'from_' : snake(field)),
  list: (items) => ({ open: '[', items, close: ']' }),
  map: (entries) => ({
    open: '{',
    items: named(
      entries.map(([key, part]) => [JSON.stringify(key), part]),
      ': ',
    ),
    close: '}',
  }),
  object: (name, fields) => ({ open: `${name}(`, items: named(fields, '='), close: ')' }),
}

/** The start of a sample, before its calls. */
export const pythonHead = (uses: string): string => {
  const types = [...new Set(uses.match(/\b[A-Z]\w+(?=\()/g))].filter((name) => name !== 'Path')
  return [
    ...(uses.includes('datetime(') ? ['from datetime import datetime, timezone'] : []),
    ...(uses.includes('Path(') ? ['from pathlib import Path'] : []),
    ...(/datetime\(|Path\(/.test(uses) ? [''] : []),
    'from fundproof import Fundproof',
    ...(types.length > 0 ? [`from fundproof.types import ${types.sort().join(', ')}`] : []),
    '',
    'fundproof = Fundproof()',
    '',
  ].join('\n')
}

/** A call, and a use of its answer. */
export const pythonCall = (model: ClientModel, operation: OperationModel): string => {
  const { at, answer, body } = operation
  const { path, fields } = argumentsOf(model, writer, operation)
  const file =
    body?.kind === 'file' ? ['Path("cover.png").read_bytes()', 'content_type="image/png"'] : []
  const call: Part = {
    open: `fundproof.${at.map(snake).join('.')}(`,
    items: [...path, ...file, ...named(fields, '=')],
    close: ')',
  }
  const variable = snake(variableOf(operation))
  if (answer.kind === 'list' || answer.kind === 'stream') {
    const loop = print(call, `for ${variable} in `, TAB)
    return `${loop}:\n${TAB}print(${variable}.${snake(shownField(model, operation))})`
  }
  return print(call, answer.kind === 'none' ? '' : `${variable} = `, TAB)
}
