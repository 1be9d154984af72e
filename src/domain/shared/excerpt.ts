import type { Part, Queryable } from '../../db/client.ts'

/** Lists show at most this many characters of a long text. */
export const EXCERPT_LENGTH = 300

/** SQL for the beginning of a text column, with an ellipsis if the text is longer. */
export const excerptOf = (sql: Queryable, column: Part, length = EXCERPT_LENGTH) => sql`
  case when char_length(${column}) <= ${length} then ${column}
       else left(${column}, ${length - 1}) || '…' end`
