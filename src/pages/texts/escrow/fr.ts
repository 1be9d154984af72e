import type { EscrowTexts } from './en.ts'

export const fr: EscrowTexts = {
  title: 'Séquestre',
  intro:
    'Un contrat sur la chaîne garde l’argent de cette campagne. Il paie une étape quand des vérificateurs l’ont signée, et si la campagne échoue, les donateurs peuvent récupérer l’argent. Fundproof n’en a aucune clé. Le contrat n’a pas été audité : ne donnez pas plus que ce que vous pouvez perdre.',
  states: {
    funding: {
      title: 'Le séquestre reçoit l’argent.',
      text: 'Rien n’est libéré avant que l’objectif soit atteint. S’il ne l’est pas à temps, les donateurs peuvent tout récupérer.',
    },
    active: {
      title: 'L’objectif est atteint.',
      text: 'Les vérificateurs décident maintenant de chaque étape. Les donateurs peuvent récupérer ce qui n’est pas libéré à temps.',
    },
    done: {
      title: 'Toutes les étapes sont libérées.',
      text: 'Le travail du séquestre est terminé.',
    },
  },
  reasons: {
    surplus: 'Toutes les étapes sont libérées, et les donateurs se partagent le reste.',
    target_missed: 'L’objectif n’a pas été atteint à temps.',
    expired: 'Le délai pour les libérations est passé.',
    cancelled: 'Le créateur a annulé la campagne.',
    terminated: 'Les vérificateurs ont mis fin à la campagne.',
  },

  audit: 'Non audité : ne donnez pas plus que ce que vous pouvez perdre.',
  straight:
    'Le créateur a l’argent tout de suite et le garde même sous l’objectif. Pas de remboursement.',
  money: {
    title: 'Où est l’argent',
    refundable: 'À rembourser maintenant',
    sum: ({ parts, total }) => `${parts} = ${total}, tout ce qui est arrivé.`,
    unassigned: (money) => `${money} de cette somme n’appartiennent à aucun don crédité.`,
    releasedNone: 'Aucune étape n’est libérée.',
    releasedSome: ({ paid, all }) => `Étapes libérées : ${paid} sur ${all}.`,
    lockedNone: 'Il ne reste rien dans le contrat.',
    lockedFunding: 'Le contrat ne libère rien avant que l’objectif soit atteint.',
    lockedFor: (money) => `${money} sont pour des étapes qui ne sont pas encore libérées.`,
    lockedAbove: {
      recipient: (money) =>
        `${money} au-delà des étapes vont au bénéficiaire après la dernière étape.`,
      donors: (money) =>
        `${money} au-delà des étapes reviennent aux donateurs après la dernière étape.`,
    },
    ifMissed: (day) =>
      `Si l’objectif n’est pas atteint le ${day}, les donateurs peuvent tout récupérer.`,
    ifUnpaid: (day) => `Les donateurs peuvent récupérer ce qui n’est pas libéré le ${day}.`,
    collect:
      'Pour chaque remboursement, une personne envoie une transaction et paie les frais du réseau. Les simples virements demandent aussi des signatures de vérificateurs.',
    due: 'Le délai est passé : toute personne peut ouvrir les remboursements.',
    owedNone: 'Rien n’est dû aux donateurs.',
    collectable: (money) => `${money} peuvent être récupérés maintenant.`,
    unsigned: (money) =>
      `${money} sont arrivés par simple virement et demandent d’abord des signatures de vérificateurs.`,
    dust: 'Un reste des arrondis. Aucun donateur ne peut le recevoir.',
    backNone: 'Rien n’est encore remboursé.',
    backSome: 'L’argent est allé aux donateurs, ou à des comptes que des vérificateurs ont signés.',
  },
  ended: {
    waiting: {
      title: 'Récupérez votre part.',
      text: ({ owed, back }) =>
        `${owed} ${back} sont remboursés. Ouvrez votre don pour voir comment recevoir votre part. Ne donnez plus rien.`,
      find: 'J’ai donné sans ce site : trouver mon remboursement',
    },
    everything: 'Il ne reste rien à rembourser.',
    paid: ({ back, total }) =>
      `Le séquestre a remboursé ${back} sur ${total}. Ne donnez plus rien.`,
    empty: {
      title: 'La campagne s’est arrêtée avant l’arrivée du moindre argent.',
      text: 'Il n’y a rien à rembourser. N’envoyez pas d’argent.',
    },
  },

  terms: 'Conditions',
  termsNote:
    'L’adresse du contrat est calculée à partir de ces conditions : personne ne peut les changer.',
  contract: 'Contrat',
  notDeployed:
    'Il n’est pas encore sur la chaîne. Il peut déjà recevoir de l’argent, car les conditions sont fixées.',
  recipient: 'Bénéficiaire',
  recipientNote: 'Le seul compte auquel les étapes sont payées. Lui seul peut annuler.',
  token: 'Jeton',
  deadline: 'Dons jusqu’au',
  deadlineNote:
    'Les dons s’arrêtent aussi à la première libération. Ne payez pas plus tard : le contrat n’enregistre alors plus de donateurs, et des vérificateurs doivent signer le retour de l’argent.',
  activateBy: 'Objectif atteint avant le',
  activateByNote: 'Si le contrat n’est pas activé à cette date, il rend l’argent.',
  expiry: 'Libérations jusqu’au',
  expiryNote: 'Les donateurs peuvent récupérer ce qui reste ensuite.',
  verifiers: 'Vérificateurs',
  verifiersNote:
    'Chaque vérificateur peut à lui seul arrêter toutes les étapes jusqu’à la fin des libérations. Les donateurs peuvent alors récupérer l’argent.',
  quorum: 'Vérificateurs requis pour mettre fin à la campagne ou signer des retours',
  quorumOf: (quorum, verifiers) => `${quorum} sur ${verifiers}`,
  surplus: 'Argent restant',
  surplusTo: { recipient: 'va au bénéficiaire', donors: 'revient aux donateurs' },
  codeProven: 'Code prouvé depuis le',
  codeNotProven: 'pas encore prouvé',

  oneVerifier: (money) =>
    `Un vérificateur peut à lui seul libérer ${money}, avec une signature pour chaque étape.`,
  alsoLeft: 'Ensuite, le bénéficiaire reçoit aussi ce qui reste.',
  milestone: 'Étape',
  signatures: 'Signatures requises',

  refunds: 'Remboursements',
  assetReturns:
    'Les virements dans une autre monnaie sont rendus quand assez de vérificateurs ont signé leur retour.',
  search: {
    lead: 'Avez-vous payé le contrat sans passer par ce site ? Cherchez alors avec le compte qui a payé.',
    account: 'Adresse du compte qui a payé',
    find: 'Trouver mon remboursement',
    none: 'Nous ne connaissons aucun remboursement de ce compte.',
    roads: { on_chain: 'Dons enregistrés', by_verifiers: 'Simple virement' },
  },

  transactions: 'Transactions possibles maintenant',
  transactionsIntro:
    'L’expéditeur ne paie que les frais du réseau. L’argent va au bénéficiaire ou aux comptes des remboursements.',
  noTransactions: 'Aucune transaction n’est possible maintenant.',
  actions: {
    deploy: {
      title: 'Mettre le contrat sur la chaîne',
      text: 'Tout compte peut l’envoyer. Cela ne change rien aux conditions.',
    },
    activate: {
      title: 'Activer le séquestre',
      text: 'Nécessaire si la dernière part de l’objectif est arrivée par simple virement. Tout compte peut l’envoyer.',
    },
    close: {
      title: 'Ouvrir les remboursements',
      text: 'Après cette transaction, les donateurs récupèrent ce qui reste. Tout compte peut l’envoyer.',
    },
    cancel: {
      title: 'Annuler la campagne',
      text: 'Seul le bénéficiaire peut l’envoyer. Les donateurs récupèrent ce qui reste. C’est définitif.',
    },
    releaseSurplus: {
      title: 'Verser le reste au bénéficiaire',
      text: 'Toutes les étapes sont libérées. Tout compte peut l’envoyer.',
    },
    release: {
      title: 'Libération',
      text: 'Des vérificateurs ont signé cette étape. L’argent va au bénéficiaire. Tout compte peut l’envoyer.',
    },
  },

  transaction: {
    data: 'Données de la transaction',
    chain: 'Réseau',
    to: 'À',
    payload: 'Données',
    value: 'Valeur',
    from: 'De',
    validUntil: 'Valable jusqu’au',
    call: (number) => `Transaction ${number}`,
    works: 'Un nœud l’a essayée : elle marche maintenant. Frais du réseau : {fee}.',
    fails: 'Un nœud l’a essayée : elle échouerait maintenant.',
    untried: 'Aucun nœud n’a pu l’essayer maintenant.',
  },
  send: {
    send: 'Envoyer avec mon portefeuille',
    choose: 'Quel portefeuille doit l’envoyer ?',
    browserWallet: 'Portefeuille du navigateur',
    working: 'Confirmez dans votre portefeuille. Si vous ne voyez rien, cliquez sur son icône.',
    sent: 'Envoyée. Quand le bloc sera définitif, les montants ci-dessus changeront d’eux-mêmes.',
    again: 'Réessayer',
    problems: {
      rejected: 'Vous l’avez refusée dans votre portefeuille. Rien n’a été envoyé.',
      busy: 'Votre portefeuille a une demande en cours. Cliquez sur son icône, répondez-y et réessayez.',
      locked:
        'Votre portefeuille est verrouillé ou ne montre aucun compte. Déverrouillez-le et réessayez.',
      offline: 'Votre portefeuille n’est pas connecté à son réseau. Réessayez.',
      'unknown-chain':
        'Votre portefeuille utilise un autre réseau. Choisissez le bon et réessayez.',
      'no-fee-funds': 'Votre portefeuille n’a pas assez pour les frais du réseau.',
      unsupported: 'Votre portefeuille ne sait pas faire cela.',
      failed:
        'Le portefeuille n’a pas pu l’envoyer. Rien n’a été envoyé, ou la transaction a échoué.',
      'no-wallet':
        'Aucun portefeuille n’est dans ce navigateur. Ouvrez cette page dans le navigateur d’une application de portefeuille, ou envoyez les données de la transaction autrement.',
      'wrong-account':
        'Un autre compte est choisi dans votre portefeuille. Seul le compte sous « De » peut l’envoyer.',
    },
  },
}
