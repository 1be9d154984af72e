/** The host against which paths are resolved. A link to another host does not stay on this one. */
const NOWHERE = 'http://nowhere.invalid'
const ACCOUNT = '/account'

/**
 * Returns `text` if it is a path on this service, so that a link cannot send people from our
 * sign-in to another site. Returns the path of the account for other texts.
 */
export const ownPath = (text: string | null | undefined): string => {
  if (!text?.startsWith('/') || !URL.canParse(text, NOWHERE)) return ACCOUNT
  const { origin, pathname, search, hash } = new URL(text, NOWHERE)
  // A path that begins with two slashes would name another host.
  return origin === NOWHERE && !pathname.startsWith('//') ? pathname + search + hash : ACCOUNT
}

/** A path with the page to which the person goes afterwards. */
export const pathWithReturn = (path: string, to: string): string =>
  `${path}?to=${encodeURIComponent(to)}`
