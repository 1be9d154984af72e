import { demand } from './bytes.ts'

export type Shape<T> = (value: unknown, at: string) => T

/** Creates a shape that accepts only an object with these members. `optional` may be missing. */
export const record =
  <T>(members: { [K in keyof T]-?: Shape<T[K]> }, optional: readonly (keyof T)[] = []): Shape<T> =>
  (value, at) => {
    demand(typeof value === 'object' && value !== null, `${at} is not an object.`)
    const found = Object.entries(value)
    const names = Object.keys(members)
    for (const [name] of found) demand(names.includes(name), `${at} has an unknown ${name}.`)
    const known = new Map<string, unknown>(found)
    const made: Partial<T> = {}
    for (const name of names as (keyof T & string)[]) {
      if (optional.includes(name) && !known.has(name)) continue
      demand(known.has(name), `${at} has no ${name}.`)
      made[name] = members[name](known.get(name), `${at}.${name}`)
    }
    return made as T
  }

export const list =
  <T>(most: number, item: Shape<T>): Shape<T[]> =>
  (value, at) => {
    demand(Array.isArray(value) && value.length <= most, `${at} is not a list of at most ${most}.`)
    return value.map((element, index) => item(element, `${at}[${index}]`))
  }

export const orNull =
  <T>(shape: Shape<T>): Shape<T | null> =>
  (value, at) =>
    value === null ? null : shape(value, at)

export const text =
  (pattern: RegExp): Shape<string> =>
  (value, at) => {
    demand(typeof value === 'string' && pattern.test(value), `${at} is malformed.`)
    return value
  }

export const integer =
  (from: number): Shape<number> =>
  (value, at) => {
    demand(Number.isSafeInteger(value) && Number(value) >= from, `${at} is not such an integer.`)
    return Number(value)
  }

export const exactly =
  <T extends string | number>(expected: T): Shape<T> =>
  (value, at) => {
    demand(value === expected, `${at} is not ${expected}: another version wrote this.`)
    return expected
  }

/** 32 bytes as lower-case hex. */
export const hash = text(/^0x[0-9a-f]{64}$/)
export const hex = text(/^0x(?:[0-9a-f]{2}){1,65536}$/)
/** The nodes of a trie on the way to one value, from the root down. */
export const nodes = list(70, hex)
