import { type ClassName, quote } from './names.ts'

const WIDTH = 100

/** A file of PHP that is being written. Collects the imports of its class. */
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
    const lines = [...imports.keys()].toSorted(byName).map((full) => `use ${full};\n`)
    const path = `${fullName(own).replace('Fundproof\\', '').replaceAll('\\', '/')}.php`
    const uses = lines.length > 0 ? `\n${lines.join('')}` : ''
    return [
      path,
      `<?php\n\n${head}\n\ndeclare(strict_types=1);\n\nnamespace ${own.namespace};\n${uses}\n${body}`,
    ] as const
  }
  return { use, finish }
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

/** Writes an array over several lines. Without keys it is a list. */
export const phpArray = (entries: readonly (readonly [string | null, string])[], indent: string) =>
  entries.length === 0
    ? '[]'
    : `[\n${entries
        .map(([key, value]) => `${indent}    ${key === null ? '' : `${quote(key)} => `}${value},\n`)
        .join('')}${indent}]`

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
