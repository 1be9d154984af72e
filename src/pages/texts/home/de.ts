import { formatCount, plural } from '../../shared/format.ts'
import type { HomeTexts } from './en.ts'

export const de: HomeTexts = {
  title: 'Spenden, mit Beweis',
  what: 'Spenden gehen auf einer öffentlichen Blockchain direkt von Ihrer Wallet an die Kampagne.',
  how: 'Fundproof führt die Bücher, und für jeden gutgeschriebenen Cent gibt es einen Beweis, den Sie selbst prüfen können.',
  search: 'Suche',
  category: 'Kategorie',
  anyCategory: 'Alle Kategorien',
  find: 'Suchen',
  none: 'Noch keine Kampagne.',
  notFound: 'Keine Kampagne passt.',
  showAll: 'Alle Kampagnen zeigen',
  create: 'Mit der API eine anlegen',
  raisedOf: ({ raised, target }) => `${raised} von ${target}`,
  donations: (count) =>
    `${formatCount('de', count)} ${plural('de', count, { one: 'Spende', other: 'Spenden' })}`,
  newest: 'Neueste',
  older: 'Ältere',
  pages: 'Seiten',
}
