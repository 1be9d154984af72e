import type { Context } from '../context.ts'
import { type KeyView, keyColumns, unknownKey } from './key-view.ts'
import type { RenameKey } from './schemas.ts'

/** Gives a key of the caller's another name. Throws DomainError `not_found`. */
export const renameKey = async (
  { sql, actor }: Context,
  id: string,
  { name }: RenameKey,
): Promise<KeyView> => {
  const self = actor.kind === 'user' ? actor.userId : null
  const [row] = await sql<KeyView[]>`
    update api_key set name = ${name} where id = ${id} and user_id = ${self}
    returning ${keyColumns(sql)}`
  if (!row) throw unknownKey()
  return row
}
