import type { Context } from '../../db/context.ts'
import { type Credentials, findPageSession } from '../../domain/account/index.ts'
import type { Caller } from '../../edge/request/authenticate.ts'
import type { SessionCookie } from './session-cookie.ts'

/** The caller of a page, and the language of the caller's account. */
export type PageCaller = Caller & { readonly sessionId: string; readonly lang: string }

/** Returns the caller of a page by its cookie; null without an open session. */
export const findPageCaller = async (
  ctx: Context,
  credentials: Credentials,
  cookie: SessionCookie,
  header: string | undefined,
): Promise<PageCaller | null> => {
  const token = cookie.read(header)
  const session = token === undefined ? undefined : await findPageSession(ctx, credentials, token)
  return session ? { ...session, key: null } : null
}
