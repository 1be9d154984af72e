/** The caller: a signed-in user, a guest, or the service itself. */
export type Actor =
  | {
      kind: 'user'
      userId: string
      roles: readonly string[]
      /** The scopes of the API key. Undefined if no key was used; then only `roles` decide. */
      scopes?: readonly string[]
      /** The session or the API key that the request used. */
      sessionId?: string | null
      keyId?: string
    }
  | { kind: 'anonymous' }
  | { kind: 'system' }

export const isAdmin = (actor: Actor): boolean =>
  actor.kind === 'system' || (actor.kind === 'user' && actor.roles.includes('admin'))

/** Whether the actor is this user or an administrator. `userId` is null for a guest. */
export const mayActFor = (actor: Actor, userId: string | null): boolean =>
  isAdmin(actor) || (actor.kind === 'user' && actor.userId === userId)
