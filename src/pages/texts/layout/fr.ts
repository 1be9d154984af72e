import type { LayoutTexts } from './en.ts'

export const fr: LayoutTexts = {
  name: 'Fundproof',
  description:
    'Financement participatif dont une blockchain publique prouve chaque centime crédité.',
  skip: 'Aller au contenu',
  menu: 'Menu principal',
  campaigns: 'Campagnes',
  check: 'Vérifier une preuve',
  account: 'Compte',
  signIn: 'Se connecter',
  more: 'Plus',
  promise: 'Fundproof ne détient jamais l’argent. Il tient des comptes que chacun peut vérifier.',
  status: 'État du service',
  api: 'Pour les développeurs',
  language: 'Langue',
  theme: 'Couleurs',
  themes: { auto: 'Comme l’appareil', light: 'Clair', dark: 'Sombre' },
  notLive: 'Plus en direct depuis {time}. Nouvel essai en cours…',
}
