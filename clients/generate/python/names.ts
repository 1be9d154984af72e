import type { Field } from '../model.ts'

const KEYWORDS: ReadonlySet<string> = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except ' +
    'finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
)

/** The name of a field, method or resource in Python: `targetAmount` is `target_amount`. */
export const snakeCase = (name: string): string => {
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return KEYWORDS.has(snake) ? `${snake}_` : snake
}

/** The name on the wire of most fields: `tx_hash` is `txHash`, `from_` is `from`. */
export const camelCase = (name: string): string =>
  name.replaceAll(/_([a-z0-9]?)/g, (_, letter: string) => letter.toUpperCase())

export const fieldName = ({ name }: Field): string => snakeCase(name)

/** The module of a resource: `v1.campaigns` is `v1_campaigns`. */
export const moduleName = (resource: string): string => snakeCase(resource.replace('.', '_'))

/** The class of a resource: `v1.campaigns` is `V1Campaigns`. */
export const className = (resource: string): string =>
  resource
    .split('.')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')

/** A text literal, as the formatters of Python write it. */
export const quoted = (text: string): string =>
  text.includes('"') && !text.includes("'") ? `'${text}'` : JSON.stringify(text)

/** The literal of a value. */
export const literal = (value: string | number | boolean): string => {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return typeof value === 'number' ? String(value) : quoted(value)
}

/** A docstring, wrapped at 96 columns. */
export const docstring = (text: string, indent: string): string => {
  const plain = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replaceAll(/`+/g, '``')
  const lines = plain.split('\n').flatMap((line) => wrap(line, 92 - indent.length))
  const [first = ''] = lines
  if (lines.length === 1) return `${indent}"""${first.endsWith('"') ? `${first} ` : first}"""\n`
  return `${indent}"""${lines.map((line, i) => (i && line ? indent + line : line)).join('\n')}\n${indent}"""\n`
}

/** Writes a comment over a field, for Sphinx and editors. */
export const comment = (text: string, indent: string): string =>
  wrap(text.replaceAll(/`+/g, '``').replaceAll('\n', ' '), 94 - indent.length)
    .map((line) => `${indent}#: ${line}\n`)
    .join('')

/** Wraps a line. The next lines of an argument are indented by four columns. */
const wrap = (line: string, width: number): string[] => {
  const lead = /^ */.exec(line)?.[0] ?? ''
  const hang = lead === '' ? '' : '    '
  const lines: string[] = []
  let current = lead
  for (const word of line.trim().split(' ')) {
    if (current.trim() !== '' && current.length + word.length + 1 > width) {
      lines.push(current)
      current = lead + hang
    }
    current += (current.trim() === '' ? '' : ' ') + word
  }
  return [...lines, current]
}

/**
 * Writes a call or tuple: on one line if it fits, with all items on a second line, or one item a
 * line.
 */
export const listed = (
  open: string,
  items: readonly string[],
  close: string,
  indent = '',
): string => {
  const line = `${indent}${open}${items.join(', ')}${close}`
  if (line.length <= 100) return line
  const inner = `${indent}    ${items.join(', ')}`
  const lines = inner.length <= 100 ? `${inner}\n` : items.map((one) => `${indent}    ${one},\n`)
  return `${indent}${open}\n${[lines].flat().join('')}${indent}${close}`
}

/** A table or list of data on one line, or on as few lines as it needs. */
export const filled = (
  open: string,
  items: readonly string[],
  close: string,
  indent = '',
): string => {
  const line = `${indent}${open}${items.join(', ')}${close}`
  if (line.length <= 100) return line
  const lines: string[] = []
  for (const item of items) {
    const last = lines.at(-1)
    if (last === undefined || `${last} ${item},`.length > 100) lines.push(`${indent}    ${item},`)
    else lines[lines.length - 1] = `${last} ${item},`
  }
  return `${indent}${open}\n${lines.join('\n')}\n${indent}${close}`
}

/** A dictionary whose keys are texts, on as few lines as it needs. */
export const table = (
  name: string,
  entries: readonly (readonly [key: string, value: string])[],
  indent = '',
): string =>
  filled(
    `${name} = {`,
    entries.map(([key, value]) => `${quoted(key)}: ${value}`),
    '}',
    indent,
  )
