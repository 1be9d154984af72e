import type { Part, Queryable } from '../db/client.ts'

/** Characters of a long text that a list shows; the single read shows the whole text. */
export const EXCERPT_LENGTH = 300

/** The beginning of a text column; it ends with an ellipsis where the text goes on. */
export const excerptOf = (sql: Queryable, column: Part) => sql`
  case when char_length(${column}) <= ${EXCERPT_LENGTH} then ${column}
       else left(${column}, ${EXCERPT_LENGTH - 1}) || '…' end`
