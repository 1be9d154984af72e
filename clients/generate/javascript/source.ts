import { wrap } from '../emitter.ts'

/** The width of a line in columns. */
export const WIDTH = 100

export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

export const quoted = (value: string | number | boolean): string =>
  typeof value === 'string'
    ? `'${value.replaceAll(/['\\]/g, '\\$&').replaceAll('\n', '\\n')}'`
    : String(value)

/** Writes a comment above a declaration, or nothing without a text. */
export const docOf = (text: string | null, indent = ''): string => {
  if (text === null) return ''
  const safe = text.replaceAll('*/', '*\\/')
  const one = `${indent}/** ${safe} */`
  if (one.length <= WIDTH && !safe.includes('\n')) return `${one}\n`
  const lines = wrap(safe, WIDTH - indent.length - 3).map((line) => `${indent} * ${line}`.trimEnd())
  return `${indent}/**\n${lines.join('\n')}\n${indent} */\n`
}

/**
 * Writes `before`, the parts and `after` in one line, or each part in a line if that is too long.
 */
export const listed = (
  before: string,
  parts: readonly string[],
  after: string,
  indent = '',
): string => {
  const one = `${indent}${before}${parts.join(', ')}${after}`
  if (one.length <= WIDTH) return one
  const lines = parts.map((part) => `${indent}  ${part},\n`)
  return `${indent}${before.trimEnd()}\n${lines.join('')}${indent}${after.trimStart()}`
}

/** Writes `before`, the parts and `after` in as few lines as possible. */
export const filled = (
  before: string,
  parts: readonly string[],
  after: string,
  indent = '',
): string => {
  const one = `${indent}${before}${parts.join(', ')}${after}`
  if (one.length <= WIDTH) return one
  const lines = wrap(parts.map((part) => `${part},`).join(' '), WIDTH - indent.length - 2)
  const inner = lines.map((line) => `${indent}  ${line}\n`).join('')
  return `${indent}${before.trimEnd()}\n${inner}${indent}${after.trimStart()}`
}
