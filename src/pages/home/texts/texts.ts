/** The texts of the list of campaigns. */
export type HomeTexts = {
  title: string
  what: string
  how: string
  search: string
  category: string
  anyCategory: string
  status: string
  find: string
  none: string
  notFound: string
  showAll: string
  create: string
  raisedOf: (money: { raised: string; target: string }) => string
  /** `count` is at least 1. */
  donations: (count: number) => string
  newest: string
  older: string
  pages: string
}
