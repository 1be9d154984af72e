import { type Facts, textOf, toApiError, type WholeResponse } from './answer.ts'
import { objectOf } from './json.ts'
import type { Operation } from './operation.ts'
import { decode } from './shapes.ts'

/**
 * The content of an answer with a good status, in the names of this library.
 *
 * @throws ApiError for an answer that is not from Fundproof, or lacks its content
 */
export const contentOf = (
  { at, out, as, field, list, is = list === undefined ? 'object' : 'list' }: Operation,
  response: WholeResponse,
  facts: Facts,
): unknown => {
  const text = textOf(response)
  if (text === '' && (as === 'none' || at.startsWith('DELETE'))) return undefined
  const type = response.headers['content-type'] ?? ''
  if (text !== '' && !/^text\/html/i.test(type)) {
    if (as === 'csv') return text
    if (as === 'file') return new Blob([response.body], { type })
  }
  const body = objectOf(response.body)
  if (body === null || body.success === false) throw toApiError(response, facts)
  if (as === 'none') return undefined
  const { success: _, ...whole } = body
  const name = field ?? list
  const content = name === undefined ? whole : body[name]
  const kind = Array.isArray(content) ? 'list' : content === null ? 'null' : typeof content
  if (kind !== is) throw toApiError(response, facts, `The answer lacks ${name}. It begins: `)
  try {
    if (list === undefined) return decode(content, out)
    return { ...body, items: decode(content, out && `${out}[]`) }
  } catch (error) {
    throw toApiError(response, facts, `${(error as Error).message} The answer begins: `)
  }
}
