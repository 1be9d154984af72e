/** The proof of a donation, or the seconds after which it may be ready. */
type Loaded = { proof: unknown } | { retryAfter: number }

/** Loads a proof from this site. @throws TypeError and others, if there is no usable answer */
export const loadProof = async (path: string): Promise<Loaded> => {
  const response = await fetch(path, { headers: { accept: 'application/json' } })
  if (response.status === 409) {
    return { retryAfter: Number(response.headers.get('retry-after') ?? 2) }
  }
  if (!response.ok) throw new Error(`The proof was answered with ${response.status}.`)
  return { proof: await response.json() }
}

/** Loads the keys of this site's seals (RFC 7517), of which the page may not know the newest. */
export const loadKeys = async (): Promise<readonly { x: string }[]> => {
  const response = await fetch('/.well-known/jwks.json', { cache: 'no-cache' })
  const { keys } = (await response.json()) as { keys: { x: string }[] }
  return keys.map(({ x }) => ({ x }))
}
