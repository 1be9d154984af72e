/** What the groups of operations are about, in the order in which they are shown. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  auth: 'Accounts, sign-in by password or wallet, sessions and the verification of email addresses.',
  users: 'What administrators do with accounts.',
  wallets: 'Wallets that an account has proven to be its own.',
  keys: 'API keys: who a program speaks for, and what it may do.',
  chains: 'The chains that are followed, and what can be given on each.',
  campaigns: 'Campaigns, their milestones and the account that receives their donations.',
  milestones: 'The verification of milestones, which releases their funds.',
  donations: 'Donations, each proven by a transaction on a public chain.',
  deposits: 'What arrived on the account of a campaign, and what of it is no donation yet.',
  ledger: 'The append-only ledger behind every amount.',
  impact: 'What a campaign has changed in the world, in numbers.',
  updates: 'What creators tell about their campaigns.',
  notifications: 'What happened that concerns the caller.',
  webhooks: 'Endpoints that events are sent to.',
  events:
    'What happened: as a feed, as a live stream, and as webhooks send it, signed as Standard Webhooks asks for.',
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
