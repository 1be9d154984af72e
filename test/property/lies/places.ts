/** A value in a node's answer, after parsing its JSON. */
export type Json = null | boolean | number | string | Json[] | JsonObject
export type JsonObject = { [name: string]: Json }

/** The place of a value in an answer: names of fields and indexes of lists. */
export type Path = readonly (string | number)[]

/** A value in an answer. `within`: the values that contain it, beginning with the whole answer. */
export type Place = { path: Path; field: string; value: Json; within: readonly Json[] }

/** Marks a field or an item that is left out. */
export const GONE = Symbol('gone')

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Lists every value of an answer, the whole answer first. `field` is the path with `[]` for each
 * index, and with the type of a transaction, which decides which fields are signed:
 * `result.transactions[0x2].maxFeePerGas`.
 */
export const placesIn = (answer: Json): Place[] => {
  const visit = (place: Place): Place[] => {
    const { path, field, value } = place
    const within = [...place.within, value]
    if (Array.isArray(value)) {
      const items = value.flatMap((item, index) =>
        visit({ path: [...path, index], field: `${field}[${typeOf(item)}]`, value: item, within }),
      )
      return [place, ...items]
    }
    if (!isObject(value)) return [place]
    const prefix = field === '' ? '' : `${field}.`
    const fields = Object.entries(value).flatMap(([name, inner]) =>
      visit({ path: [...path, name], field: prefix + nameOf(name, inner), value: inner, within }),
    )
    return [place, ...fields]
  }
  return visit({ path: [], field: '', value: answer, within: [] })
}

/** The type of a transaction, or '' for any other value. */
const typeOf = (item: Json): string =>
  isObject(item) && typeof item.type === 'string' && item.nonce !== undefined ? item.type : ''

const nameOf = (name: string, value: Json): string => {
  const type = typeOf(value)
  return type === '' ? name : `${name}(${type})`
}

/** Copies the answer, and changes or removes one value in the copy. */
export const changeAt = (
  answer: Json,
  path: Path,
  change: (value: Json) => Json | typeof GONE,
): Json | typeof GONE => {
  const [step, ...rest] = path
  if (step === undefined) return change(answer)
  if (Array.isArray(answer)) {
    const index = Number(step)
    const changed = changeAt(answer[index] ?? null, rest, change)
    return changed === GONE ? answer.toSpliced(index, 1) : answer.with(index, changed)
  }
  if (!isObject(answer)) throw new Error(`There is no ${step} in ${JSON.stringify(answer)}.`)
  const changed = changeAt(answer[step] ?? null, rest, change)
  if (changed !== GONE) return { ...answer, [step]: changed }
  const { [step]: _, ...others } = answer
  return others
}
