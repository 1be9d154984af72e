import { formatCount, plural } from '../../shared/format.ts'
import type { HomeTexts } from './en.ts'

export const fr: HomeTexts = {
  title: 'Donnez, et vérifiez la preuve',
  what: 'Les dons vont directement de votre portefeuille à la campagne, sur une blockchain publique.',
  how: 'Fundproof tient les comptes, et chaque centime crédité a une preuve que vous pouvez vérifier vous-même.',
  search: 'Recherche',
  category: 'Catégorie',
  anyCategory: 'Toutes les catégories',
  find: 'Rechercher',
  none: 'Pas encore de campagne.',
  notFound: 'Aucune campagne ne correspond.',
  showAll: 'Afficher toutes les campagnes',
  create: 'En créer une avec l’API',
  raisedOf: ({ raised, target }) => `${raised} sur ${target}`,
  donations: (count) =>
    `${formatCount('fr', count)} ${plural('fr', count, { one: 'don', other: 'dons' })}`,
  newest: 'Les plus récentes',
  older: 'Plus anciennes',
  pages: 'Pages',
}
