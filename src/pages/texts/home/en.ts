import { formatCount, plural } from '../../shared/format.ts'

export const en = {
  title: 'Give, and see the proof',
  what: 'Donations go from your wallet to the campaign. Every credited cent has a proof that you can check yourself.',
  provenSoFar: 'Proven so far',
  nothingProven: 'Nothing proven yet',
  /** Follows the sum of one currency. Both counts are at least 1. */
  totalOf: (donations: number, campaigns: number) =>
    `${en.donations(donations)} to ${formatCount('en', campaigns)} ${plural('en', campaigns, { one: 'campaign', other: 'campaigns' })}`,
  paidBackOfIt: (money: string) => `${money} of it were refunded`,
  checkTotal: 'Check the total',
  newestProof: '{amount} for {campaign}, proven in block {block} – {check}',
  checkIt: 'check it',
  open: 'Open campaigns',
  noneOpen: 'No campaign is open now.',
  asOf: (block: string) => `These amounts are as of block ${block}, which is final`,
  toCreator: 'Straight to the creator',
  toEscrow: ({ paid, all }: { paid: number; all: number }) =>
    paid === 0 ? 'Held in escrow' : `In escrow, released milestones: ${paid} of ${all}`,
  donateTo: (title: string) => `Donate to ${title}`,
  howItWorks: 'How it works',
  steps: [
    {
      title: 'You give from your own wallet',
      text: 'The money goes straight to the campaign, or into its escrow contract. Fundproof never holds it.',
    },
    {
      title: 'A public blockchain proves it',
      text: 'When the block is final, the donation is credited once, in a sealed ledger that cannot be changed unseen.',
    },
    {
      title: 'You keep the proof',
      text: 'A receipt, and a file that anyone can check: also without this site, and in many years.',
    },
  ],
  ended: 'Ended',
  outcome: {
    noDonations: 'No donation was credited',
    raised: (money: string) => `${money} raised`,
    toCreator: (money: string) => `${money} went straight to the creator`,
    verified: (money: string) => `${money} raised, all milestones verified`,
    allPaidBack: (money: string) => `${money} refunded: all that was given`,
    paidBack: (all: string, back: string) => `${all} raised, ${back} of it refunded`,
  },
  total: {
    title: 'Check the total',
    lead: 'The total on the first page is the sum of these ledgers. Each ledger is sealed with a signature, so you can do the sum yourself.',
    steps: [
      'Open a ledger. Add its donations, without those that a later entry reverses. A donation in another currency counts with its conversion. The sum is the proven amount in the list.',
      'Add the proven amounts of all campaigns with the same currency. Totals in different currencies are never added together.',
      'Download the head of each ledger and keep it. With it, anyone can show later that no sealed entry was changed or removed.',
    ],
    columns: ['Campaign', 'Newest head', 'Proven', 'Refunded'],
    entries: (count: string) => `Sealed entries: ${count}`,
    none: 'No ledger has an entry yet.',
  },
  search: 'Search',
  category: 'Category',
  anyCategory: 'All categories',
  find: 'Search',
  none: 'No campaign yet.',
  notFound: 'No campaign fits.',
  showAll: 'Show all campaigns',
  create: 'Create one with the API',
  raisedOf: ({ raised, target }: { raised: string; target: string }) => `${raised} of ${target}`,
  /** `count` is at least 1. */
  donations: (count: number): string =>
    `${formatCount('en', count)} ${plural('en', count, { one: 'donation', other: 'donations' })}`,
  newest: 'Newest',
  older: 'Older',
  pages: 'Pages',
}

/** The texts of the list of campaigns. */
export type HomeTexts = typeof en
