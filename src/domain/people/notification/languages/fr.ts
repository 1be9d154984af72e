import type { NotificationTexts } from '../texts.ts'

export const fr: NotificationTexts = {
  donation_completed: ({ amount, currency, campaign, to }) => ({
    title: to === 'donor' ? 'Votre don est arrivé' : 'Un don est arrivé',
    message: `${amount} ${currency} pour « ${campaign} » sont définitifs sur la chaîne et crédités.`,
  }),
  donation_reversed: ({ amount, currency, campaign, to, reason }) => ({
    title: `${to === 'donor' ? 'Votre' : 'Un'} don a été ${reason === 'reorganised' ? 'retiré par la chaîne' : 'transféré'}`,
    message:
      reason === 'reorganised'
        ? `La chaîne a été réorganisée et ne contient plus ${amount} ${currency} pour « ${campaign} ».`
        : `${amount} ${currency} pour « ${campaign} » sont maintenant le don du titulaire du portefeuille qui les a envoyés.`,
  }),
  deposit_unclaimed: ({ amount, currency, campaign }) => ({
    title: "De l'argent que personne n'a déclaré est arrivé",
    message: `« ${campaign} » a reçu ${amount} ${currency} que personne n'a enregistrés comme don. La personne qui les a envoyés peut les réclamer.`,
  }),
  milestone_reached: ({ milestone, campaign }) => ({
    title: 'Une étape est atteinte',
    message: `« ${campaign} » a réuni assez pour « ${milestone} ». L’étape peut être vérifiée ; si la campagne a un contrat de séquestre, seulement quand il a atteint son objectif.`,
  }),
  campaign_funded: ({ amount, currency, campaign }) => ({
    title: 'Votre campagne a atteint son objectif',
    message: `« ${campaign} » a atteint son objectif de ${amount} ${currency}.`,
  }),
  milestone_verified: ({ milestone, campaign }) => ({
    title: 'Une étape a été vérifiée',
    message: `« ${milestone} » de « ${campaign} » a été vérifiée.`,
  }),
  milestone_rejected: ({ milestone, campaign }) => ({
    title: 'Un justificatif a été refusé',
    message: `Les justificatifs de « ${milestone} » de « ${campaign} » ont été refusés. Une nouvelle vérification est possible.`,
  }),
  release_waiting: ({ milestone, campaign }) => ({
    title: 'Une étape vérifiée attend sa libération',
    message: `« ${milestone} » de « ${campaign} » est vérifiée depuis trois jours, et le contrat de séquestre n’a pas encore payé. Chacun peut envoyer la libération.`,
  }),
  campaign_failed: ({ amount, currency, campaign }) => ({
    title: 'Le contrat de séquestre de votre campagne a échoué',
    message: `Le contrat de séquestre de « ${campaign} » ne paie plus aucune étape. Il rend ${amount} ${currency} aux donateurs.`,
  }),
  refund_ready: ({ amount, currency, campaign }) => ({
    title: 'Vous pouvez être remboursé',
    message: `Le contrat de séquestre de « ${campaign} » rend l’argent. Vous pouvez demander votre part de ${amount} ${currency} dès maintenant.`,
  }),
  donation_refunded: ({ amount, currency, campaign, receiver }) =>
    receiver
      ? {
          title: 'Des vérificateurs ont désigné le destinataire de votre don',
          message: `Le contrat de séquestre de « ${campaign} » a versé ${amount} ${currency} de votre don à ${receiver}, comme ses vérificateurs l’ont signé. Nous connaissons un autre compte comme expéditeur.`,
        }
      : {
          title: 'Vous avez été remboursé',
          message: `Le contrat de séquestre de « ${campaign} » a rendu ${amount} ${currency} de votre don.`,
        },
  impact_verified: ({ campaign }) => ({
    title: "Votre rapport d'impact a été vérifié",
    message: `Ce que « ${campaign} » a déclaré avoir accompli a été vérifié.`,
  }),
  webhook_disabled: ({ url, reason }) => ({
    title: 'Un webhook a été désactivé',
    message:
      reason === 'gone'
        ? `${url} a répondu 410 Gone : nous ne lui envoyons plus d'événements.`
        : `Depuis cinq jours, aucun essai n'a pu joindre ${url} : nous ne lui envoyons plus d'événements.`,
  }),
}
