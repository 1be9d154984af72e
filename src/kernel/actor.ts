/** Who asks: a signed-in user, nobody, or the service itself. */
export type Actor =
  | {
      kind: 'user'
      userId: string
      roles: readonly string[]
      /** What an API key may do; undefined for a person, who may do all that their roles allow. */
      scopes?: readonly string[]
      /** The session or the key of a request. */
      sessionId?: string | null
      keyId?: string
    }
  | { kind: 'anonymous' }
  | { kind: 'system' }

export const isAdmin = (actor: Actor): boolean =>
  actor.kind === 'system' || (actor.kind === 'user' && actor.roles.includes('admin'))

/** Whether the actor is this very user, or may act for anybody. Null is a guest, who is no user. */
export const mayActFor = (actor: Actor, userId: string | null): boolean =>
  isAdmin(actor) || (actor.kind === 'user' && actor.userId === userId)
