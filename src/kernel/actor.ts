/** The caller: a signed-in user, a guest, or the service itself. */
export type Actor =
  | {
      kind: 'user'
      userId: string
      roles: readonly string[]
      /** The scopes of the API key; undefined if no key was used. Then only `roles` decide. */
      scopes?: readonly string[]
      /** The id of the session. If the request used an API key, only `keyId` is set. */
      sessionId?: string | null
      keyId?: string
    }
  | { kind: 'anonymous' }
  | { kind: 'system' }

export const isAdmin = (actor: Actor): boolean =>
  actor.kind === 'system' || (actor.kind === 'user' && actor.roles.includes('admin'))

/** Whether the actor is the user, an administrator or the service. No user has the id null. */
export const mayActFor = (actor: Actor, userId: string | null): boolean =>
  isAdmin(actor) || (actor.kind === 'user' && actor.userId === userId)
