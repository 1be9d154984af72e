import { formatCount, plural } from '../../shared/format.ts'

export const en = {
  title: 'Give, and see the proof',
  what: 'Donations go straight from your wallet to the campaign, on a public blockchain.',
  how: 'Fundproof keeps the books, and every credited cent has a proof that you can check yourself.',
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
  donations: (count: number) =>
    `${formatCount('en', count)} ${plural('en', count, { one: 'donation', other: 'donations' })}`,
  newest: 'Newest',
  older: 'Older',
  pages: 'Pages',
}

/** The texts of the list of campaigns. */
export type HomeTexts = typeof en
