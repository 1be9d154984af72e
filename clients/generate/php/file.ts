import { type ClassName, quote } from './names.ts'

const WIDTH = 100

/** A PHP file that is being written. It collects the imports of its class. */
export type PhpFile = {
  /** Imports a class, and returns its short name. */
  use: (className: ClassName | string) => string
  /** Returns the path and the text. */
  finish: (body: string) => readonly [path: string, text: string]
}

/** Starts the file of a class. `head` is the comment at its start. */
export const startFile = (own: ClassName, head: string): PhpFile => {
  const imports = new Map<string, string>()
  const use = (className: ClassName | string): string => {
    const full = typeof className === 'string' ? className : fullName(className)
    const short = full.slice(full.lastIndexOf('\\') + 1)
    if (full === fullName(own) || full === `${own.namespace}\\${short}`) return short
    if (short === own.name) return `\\${full}`
    const taken = [...imports].find(([other, name]) => name === short && other !== full)
    if (taken) return `\\${full}`
    imports.set(full, short)
    return short
  }
  const finish = (body: string) => {
    const lines = usesOf([...imports.keys()].toSorted(byName))
    const path = `${fullName(own).replace('Fundproof\\', '').replaceAll('\\', '/')}.php`
    const uses = lines.length > 0 ? `\n${lines.join('')}` : ''
    return [
      path,
      `<?php\n${head}\ndeclare(strict_types=1);\n\nnamespace ${own.namespace};\n${uses}\n${body}`,
    ] as const
  }
  return { use, finish }
}

/**
 * The imports of classes: one line for the classes of a namespace, or as few lines as they need.
 */
const usesOf = (classes: readonly string[]): string[] => {
  const groups = Map.groupBy(classes, (full) => full.slice(0, full.lastIndexOf('\\') + 1))
  return [...groups].flatMap(([namespace, all]) => {
    if (all.length === 1 || namespace === '') return all.map((full) => `use ${full};\n`)
    const names = all.map((full) => full.slice(namespace.length)).join(', ')
    const one = `use ${namespace}{${names}};\n`
    if (one.length <= WIDTH) return [one]
    return [`use ${namespace}{\n`, ...wrap(names, WIDTH - 4).map((line) => `    ${line}\n`), '};\n']
  })
}

/** Writes a comment of documentation, whose texts are broken into lines. */
export const docBlock = (parts: readonly (string | null)[], indent = ''): string => {
  const lines = parts
    .filter((part): part is string => part !== null && part !== '')
    .flatMap((part, at, all) => {
      const broken = wrap(part.replaceAll('*/', '*'), WIDTH - indent.length - 3)
      const isFirstTag = part.startsWith('@') && at > 0 && !all[at - 1]?.startsWith('@')
      return isFirstTag ? ['', ...broken] : broken
    })
  const [only] = lines
  if (only === undefined) return ''
  if (lines.length === 1) return `${indent}/** ${only} */\n`
  const body = lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')
  return `${indent}/**\n${body}\n${indent} */\n`
}

/** Writes parts in one line, or with a line for each part if that is too long. */
export const listed = (
  before: string,
  parts: readonly string[],
  after: string,
  indent = '        ',
): string => {
  const one = `${indent}${before}${parts.join(', ')}${after}`
  if (one.length <= WIDTH && !one.includes('\n')) return `${one}\n`
  const lines = parts.map((part) => `${indent}    ${part},\n`)
  return `${indent}${before}\n${lines.join('')}${indent}${after}\n`
}

/** Writes an array of data in one line, or in as few lines as it needs. */
export const filled = (
  before: string,
  items: readonly string[],
  after: string,
  indent = '        ',
): string => {
  const one = `${indent}${before}${items.join(', ')}${after}`
  if (one.length <= WIDTH) return `${one}\n`
  const lines: string[] = []
  for (const item of items) {
    const last = lines.at(-1)
    if (last === undefined || `${last} ${item},`.length > WIDTH) lines.push(`${indent}    ${item},`)
    else lines[lines.length - 1] = `${last} ${item},`
  }
  return `${indent}${before}\n${lines.join('\n')}\n${indent}${after}\n`
}

/** Writes a constant that is a table. */
export const phpTable = (name: string, entries: readonly (readonly [string, string])[]) =>
  filled(
    `public const ${name} = [`,
    entries.map(([key, value]) => `${quote(key)} => ${value}`),
    '];',
    '    ',
  )

const wrap = (text: string, width: number): string[] => {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1)
    const indent = lines.length > 0 && text.startsWith('@') ? '    ' : ''
    if (line !== undefined && line.length + word.length < width) {
      lines[lines.length - 1] = `${line} ${word}`
    } else {
      lines.push(indent + word)
    }
  }
  return lines
}

const fullName = ({ namespace, name }: ClassName): string => `${namespace}\\${name}`

const byName = (one: string, other: string): number =>
  one.replaceAll('\\', ' ').localeCompare(other.replaceAll('\\', ' '), 'en')
