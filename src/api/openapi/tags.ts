/** Descriptions of the groups of operations, in display order. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  auth: 'Accounts, sign-in by password or wallet, sessions and the verification of email addresses.',
  users: 'Roles of accounts, for administrators.',
  wallets: 'Wallets that a user has proven to own.',
  keys: 'API keys, with which a program acts as its owner within scopes.',
  chains: 'The followed chains, and the assets that each accepts.',
  campaigns: 'Campaigns, their milestones and the account that receives their donations.',
  milestones: 'The verification of milestones, which releases their funds.',
  escrow: 'Escrow contracts of campaigns, and the refunds of their donors.',
  donations: 'Donations, each proven by a transaction on a public chain.',
  deposits: 'Transfers to the account of a campaign, also transfers without a donation.',
  ledger: 'The append-only ledger behind every amount.',
  impact: 'Reports of what a campaign has achieved, in numbers.',
  updates: 'News that creators publish about their campaigns.',
  notifications: 'Messages for the caller.',
  webhooks: 'Endpoints that events are sent to.',
  events: 'Events: as a feed, as a live stream, and as signed webhooks (Standard Webhooks).',
  sandbox: 'Test wallets, test money and faults on demand; absent in production.',
  system: 'Probes, public keys and this document.',
}

/** The tags of a document with their descriptions. */
export const describeTags = (used: Iterable<string>): { name: string; description: string }[] => {
  const names = [...new Set(used)]
  const known = Object.keys(DESCRIPTIONS)
  const place = (name: string) => (known.includes(name) ? known.indexOf(name) : known.length)
  return names
    .toSorted((one, other) => place(one) - place(other))
    .map((name) => ({ name, description: DESCRIPTIONS[name] ?? `Operations on ${name}.` }))
}
