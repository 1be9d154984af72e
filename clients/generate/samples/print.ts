const WIDTH = 88

/** A part of a program: text, or a list between brackets that may take several lines. */
export type Part = string | { open: string; items: readonly Part[]; close: string; pad?: ' ' }

/** Prints `before` and the part, in lines of at most 88 columns if possible. */
export const print = (part: Part, before = '', tab = '  ', indent = ''): string => {
  const one = before + oneLine(part)
  if (typeof part === 'string' || indent.length + one.length <= WIDTH || part.items.length === 0) {
    return one
  }
  const inner = indent + tab
  const lines = part.items.map((item) => `${inner}${print(item, '', tab, inner)},\n`)
  return `${before}${part.open}\n${lines.join('')}${indent}${part.close}`
}

/** An item with a name: `amount: {…}`. */
export const keyed = (key: string, part: Part): Part =>
  typeof part === 'string' ? key + part : { ...part, open: key + part.open }

const oneLine = (part: Part): string => {
  if (typeof part === 'string') return part
  const { open, items, close, pad = '' } = part
  if (items.length === 0) return open + close
  return `${open}${pad}${items.map(oneLine).join(', ')}${pad}${close}`
}
