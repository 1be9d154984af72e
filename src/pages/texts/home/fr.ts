import { formatCount, plural } from '../../shared/format.ts'
import type { HomeTexts } from './en.ts'

export const fr: HomeTexts = {
  title: 'Donnez, et vérifiez la preuve',
  what: 'Les dons vont de votre portefeuille à la campagne. Chaque centime crédité a une preuve que vous pouvez vérifier vous-même.',
  provenSoFar: 'Prouvé jusqu’ici',
  nothingProven: 'Rien n’est encore prouvé',
  totalOf: (donations, campaigns) =>
    `${fr.donations(donations)} à ${formatCount('fr', campaigns)} ${plural('fr', campaigns, { one: 'campagne', other: 'campagnes' })}`,
  paidBackOfIt: (money) => `dont ${money} remboursés`,
  checkTotal: 'Vérifier le total',
  newestProof: '{amount} pour {campaign}, prouvé dans le bloc {block} – {check}',
  checkIt: 'vérifier',
  open: 'Campagnes ouvertes',
  noneOpen: 'Aucune campagne n’est ouverte en ce moment.',
  asOf: (block) => `Ces montants sont ceux du bloc ${block}, qui est définitif`,
  toCreator: 'Directement au créateur',
  toEscrow: ({ paid, all }) =>
    paid === 0 ? 'Gardé sous séquestre' : `Sous séquestre, étapes libérées : ${paid} sur ${all}`,
  donateTo: (title) => `Faire un don à ${title}`,
  howItWorks: 'Comment ça marche',
  steps: [
    {
      title: 'Vous donnez depuis votre propre portefeuille',
      text: 'L’argent va directement à la campagne ou dans son contrat de séquestre. Fundproof ne le détient jamais.',
    },
    {
      title: 'Une blockchain publique le prouve',
      text: 'Quand le bloc est définitif, le don est crédité une seule fois, dans un grand livre scellé que personne ne peut modifier sans que cela se voie.',
    },
    {
      title: 'Vous gardez la preuve',
      text: 'Un reçu, et un fichier que chacun peut vérifier : même sans ce site, et dans bien des années.',
    },
  ],
  ended: 'Terminées',
  outcome: {
    noDonations: 'Aucun don n’a été crédité',
    raised: (money) => `${money} collectés`,
    toCreator: (money) => `${money} sont allés directement au créateur`,
    verified: (money) => `${money} collectés, toutes les étapes vérifiées`,
    allPaidBack: (money) => `${money} remboursés : tout ce qui a été donné`,
    paidBack: (all, back) => `${all} collectés, dont ${back} remboursés`,
  },
  total: {
    title: 'Vérifier le total',
    lead: 'Le total de la première page est la somme de ces grands livres. Chacun est scellé par une signature : vous pouvez donc refaire l’addition.',
    steps: [
      'Ouvrez un grand livre. Additionnez ses dons, sans ceux qu’une écriture suivante annule. Un don dans une autre monnaie compte avec sa conversion. La somme est le montant prouvé de la liste.',
      'Additionnez les montants prouvés de toutes les campagnes de la même monnaie. Les totaux de monnaies différentes ne sont jamais additionnés.',
      'Téléchargez la tête de chaque grand livre et gardez-la. Avec elle, chacun peut montrer plus tard qu’aucune écriture scellée n’a été modifiée ni retirée.',
    ],
    columns: ['Campagne', 'Dernière tête', 'Prouvé', 'Remboursé'],
    entries: (count) => `Écritures scellées : ${count}`,
    none: 'Aucun grand livre n’a encore d’écriture.',
  },
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
