import type { Context } from '../context.ts'
import { type KeyView, keyColumns, unknownKey } from './key-view.ts'

/** One of the caller's keys, also a revoked one. Throws DomainError `not_found`. */
export const getKey = async ({ sql, actor }: Context, id: string): Promise<KeyView> => {
  const self = actor.kind === 'user' ? actor.userId : null
  const [row] = await sql<KeyView[]>`
    select ${keyColumns(sql)} from api_key where id = ${id} and user_id = ${self}`
  if (!row) throw unknownKey()
  return row
}
