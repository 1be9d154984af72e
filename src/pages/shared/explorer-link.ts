/** The page of an explorer about a part of its chain; undefined for a chain without explorer. */
export const explorerLink = (
  chain: { explorer: string | null } | undefined,
  kind: 'tx' | 'address' | 'block',
  what: string | number,
): string | undefined =>
  chain?.explorer ? `${chain.explorer.replace(/\/$/, '')}/${kind}/${what}` : undefined
