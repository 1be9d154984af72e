import type { ErrorTexts } from './en.ts'

export const fr: ErrorTexts = {
  badRequest: {
    title: 'Cela ne fonctionne pas',
    what: 'La page a reçu quelque chose qu’elle ne comprend pas. Revenez en arrière et réessayez.',
  },
  signIn: {
    title: 'Connectez-vous',
    what: 'Cette page est réservée aux personnes qui ont un compte.',
  },
  forbidden: { title: 'Non autorisé', what: 'Votre compte ne peut pas faire cela.' },
  notFound: {
    title: 'Page introuvable',
    what: 'Il n’y a pas de page à cette adresse. Elle a pu changer, ou l’adresse contient une erreur.',
  },
  conflict: {
    title: 'Impossible pour le moment',
    what: 'Quelque chose a changé entre-temps. Revenez en arrière et rechargez la page.',
  },
  gone: { title: 'N’existe plus', what: 'Cette page a été retirée.' },
  tooMany: {
    title: 'Trop de requêtes',
    what: 'Votre réseau a demandé trop de pages en peu de temps.',
  },
  legal: {
    title: 'Indisponible dans votre pays',
    what: 'La loi nous interdit de servir les visiteurs de votre pays. Vous n’avez rien payé.',
  },
  ours: {
    title: 'Un problème est survenu de notre côté',
    what: 'L’erreur a été enregistrée. Rien de ce que vous avez payé n’est perdu. Réessayez dans une minute.',
  },
  unavailable: {
    title: 'Indisponible pour un instant',
    what: 'Rien n’est perdu. Cette page réessaie d’elle-même.',
  },
  retry: (seconds) => `Réessayez dans ${seconds} ${seconds === 1 ? 'seconde' : 'secondes'}.`,
  request: 'Requête',
  home: 'Toutes les campagnes',
}
