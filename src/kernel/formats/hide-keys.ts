/** Shorter parts of a path, such as `v2`, are no keys. */
const SHORTEST_KEY = 8

/** Returns a function that hides in a text the user, the password and the keys of a URL. */
export const hideKeysOf = (url: string): ((text: string) => string) => {
  const { username, password, pathname, searchParams } = new URL(url)
  const parts = pathname.split('/').filter(({ length }) => length >= SHORTEST_KEY)
  const given = [password, username, ...parts, ...searchParams.values()].filter(Boolean)
  const keys = given.flatMap((key) => [key, decodeURIComponent(key)])
  return (text) => keys.reduce((hidden, key) => hidden.replaceAll(key, '***'), text)
}
