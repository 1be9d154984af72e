import { deepStrictEqual } from 'node:assert/strict'

/** Throws unless both values are equal. */
export const equal: (actual: unknown, expected: unknown) => void = deepStrictEqual

/** Throws if a field is unknown to the runner, so that no expectation is skipped. */
export const knowsOnly = (expect: object, fields: readonly string[]): void => {
  const unknown = Object.keys(expect).filter((field) => !fields.includes(field))
  if (unknown.length > 0) throw new Error(`The runner does not know ${unknown.join(', ')}.`)
}

/** The value that a function returns, or the error that it throws. */
export const outcomeOf = async (work: () => unknown): Promise<unknown> => {
  try {
    return await work()
  } catch (error) {
    return error
  }
}
