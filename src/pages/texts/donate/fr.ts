import type { DonateTexts } from './en.ts'

export const fr: DonateTexts = {
  title: (campaign) => `Donner à ${campaign}`,
  errors: 'À vérifier',
  cancelled: 'Le don est annulé. Vous n’avez rien payé.',
  refusals: {
    amount: 'Saisissez un montant, par exemple 25 ou 12,50.',
    currency: 'Cette campagne n’accepte pas cette monnaie.',
    wallet: 'Saisissez l’adresse du portefeuille : 0x et 40 lettres ou chiffres.',
    walletName:
      'Les noms comme jonas.eth ne fonctionnent pas ici. Saisissez l’adresse elle-même : 0x et 40 lettres ou chiffres. Votre portefeuille l’affiche là où vous recevez de l’argent.',
    ownAccount: 'C’est le compte de la campagne elle-même. Saisissez le portefeuille qui paie.',
    name: 'Le nom compte au plus 80 caractères, sans retour à la ligne.',
    message: 'Le message compte au plus 280 caractères, sans retour à la ligne.',
    transaction: 'Saisissez le hash d’une transaction : 0x et 64 lettres ou chiffres.',
    closed: 'Cette campagne n’accepte pas de dons en ce moment.',
    blocked: 'La loi nous interdit de participer à des transferts avec ce portefeuille.',
    tooMany:
      'Trop de dons attendent déjà un paiement de ce portefeuille. Payez ou annulez l’un d’eux, ou connectez-vous avec le portefeuille.',
    limited: 'Trop de dons sont venus de votre réseau. Réessayez dans quelques minutes.',
    unverified: 'Confirmez d’abord votre adresse e-mail. Nous vous avons envoyé un code.',
    claimed:
      'Un autre don a déjà ce paiement. Si vous l’avez envoyé, connectez-vous avec le portefeuille qui a payé.',
    early: 'Ce paiement est plus ancien que la campagne, ce n’est donc pas un don pour elle.',
    unknownPayment:
      'Aucun bloc que nous connaissons ne contient encore ce paiement. Saisissez son montant et son portefeuille, et nous le chercherons.',
    paidOrCancelled: 'Ce don est déjà payé ou annulé.',
    unavailable:
      'Nous ne pouvons pas le vérifier en ce moment. Rien n’est perdu. Réessayez dans une minute.',
    other: 'Cela n’a pas fonctionné. Vérifiez le formulaire et réessayez.',
  },
  currency: 'Monnaie',
  suggestions: 'Montants suggérés',
  countsAs: (other, currency) =>
    `${other} compte en ${currency}, au cours du bloc qui contient votre paiement.`,
  rate: ({ one, about }) => `${one} vaut actuellement environ ${about}.`,
  dollar: (one) =>
    `USDC est de l’argent sur une blockchain. ${one} vaut environ 1 dollar américain.`,
  exchange:
    'Votre argent est sur une plateforme d’échange ? Transférez-le d’abord vers votre propre portefeuille : une plateforme paie depuis un portefeuille qui n’est pas le vôtre, et nous ne reconnaîtrions pas votre paiement.',
  optional: '(facultatif)',
  slow: {
    text: 'Le serveur ne répond pas depuis 8 secondes. Il a peut-être reçu ce que vous avez envoyé.',
    again: 'Rouvrir la page',
  },
  words: 'Vos mots',
  name: 'Nom',
  message: 'Message',
  wordsHint: 'Tout le monde peut lire les deux. Laissez-les vides pour rester anonyme.',
  alreadyPaid: 'J’ai déjà payé',
  closed: {
    title: 'Cette campagne n’accepte pas de dons en ce moment',
    what: 'N’envoyez pas d’argent sur son compte.',
    escrow:
      'Le contrat de séquestre de cette campagne n’enregistre plus de dons. Ne lui envoyez pas d’argent : des vérificateurs devraient signer son retour.',
  },
  summary: {
    title: 'Votre don va à',
    raised: ({ raised, target }) => `${raised} sur ${target} collectés`,
    account: 'Compte',
    network: 'Réseau',
    direct: 'L’argent va directement sur ce compte. Fundproof ne le détient jamais.',
    escrow: ({ deadline }) =>
      `Un contrat de séquestre garde l’argent jusqu’à ce que des vérificateurs approuvent une étape. Si l’objectif n’est pas atteint le ${deadline}, les donateurs peuvent le récupérer.`,
  },
  copy: { address: 'Copier l’adresse', amount: 'Copier le montant', copied: 'Copié' },
  panel: ({ network, networkId, coin, account }) => ({
    legend: 'Comment voulez-vous payer ?',
    looking: 'Recherche de portefeuilles dans ce navigateur…',
    noWallet:
      'Ce navigateur n’a pas de portefeuille. Un portefeuille est une application ou une extension qui garde votre argent.',
    byPhone:
      'Saisissez l’adresse de votre portefeuille. La page suivante ouvre une application de portefeuille sur ce téléphone, ou montre un code pour un autre appareil.',
    openIn: 'Ouvrez cette page dans le navigateur d’une application de portefeuille :',
    ownWallet:
      'Payez depuis votre propre portefeuille. Le contrat de séquestre vous enregistre, et aucune signature n’est nécessaire pour un remboursement. Votre argent est sur une plateforme d’échange ? Transférez-le d’abord vers votre propre portefeuille, car un transfert depuis une plateforme revient à la plateforme.',
    browserWallet: 'Portefeuille du navigateur',
    phone: 'Application de portefeuille ou autre appareil',
    phoneHint:
      'Vous recevez un lien pour une application de portefeuille, un code à scanner et toutes les données en texte.',
    address: 'Adresse du portefeuille qui paie',
    addressHint:
      'Elle commence par 0x ; un nom comme jonas.eth ne fonctionne pas. C’est à cette adresse que nous reconnaissons votre paiement.',
    button: {
      show: 'Voir comment payer',
      connect: 'Connecter {wallet}',
      connecting: 'En attente de {wallet}…',
      switch: `Passer sur ${network}`,
      switching: 'En attente de {wallet}…',
      pay: 'Donner {amount}',
      checking: 'Vérification du solde…',
      intent: 'Enregistrement de votre don…',
      confirm: 'Confirmez dans {wallet}…',
      sent: 'Envoyé',
    },
    cancel: 'Ne plus attendre',
    startAgain: 'Annuler et recommencer',
    connected: 'Connecté avec {from}.',
    switchHint: `Votre portefeuille utilise un autre réseau. Cette campagne est sur ${network}.`,
    confirmHint: `Vérifiez que votre portefeuille affiche {amount}, puis confirmez. L’argent va à ${account}.`,
    slow: 'Votre portefeuille a une demande ouverte. Cliquez sur son icône dans votre navigateur.',
    unanswered:
      'Aucune réponse depuis 8 secondes. Vous n’avez rien payé. Attendez, ou arrêtez et réessayez.',
    sent: 'Votre paiement est envoyé. La page de votre don s’ouvre maintenant.',
    signers:
      'Votre portefeuille est un contrat, d’autres personnes doivent peut-être confirmer. Vous pouvez fermer cette page : votre don compte dès qu’un bloc contient le paiement.',
    toDonation: 'Voir votre don',
    problems: {
      rejected:
        'Vous avez refusé dans votre portefeuille. Vous n’avez rien payé. Vous pouvez réessayer.',
      busy: 'Votre portefeuille a encore une demande plus ancienne. Cliquez sur son icône, répondez à la demande et réessayez.',
      locked:
        'Votre portefeuille est verrouillé ou ne montre aucun compte. Déverrouillez-le et réessayez.',
      offline:
        'Votre portefeuille n’est pas connecté à son réseau. Vérifiez le portefeuille et réessayez.',
      'unknown-chain': `Votre portefeuille n’a pas changé de réseau. Choisissez vous-même ${network} (réseau ${networkId}) dans le portefeuille, puis appuyez encore sur le bouton.`,
      'no-fee-funds': `Ce compte a besoin d’un peu de ${coin} pour les frais du réseau. Vous n’avez rien payé.`,
      unsupported: 'Votre portefeuille ne peut pas le faire. Choisissez un autre portefeuille.',
      failed:
        'Le portefeuille signale une erreur. Regardez dans le portefeuille s’il a envoyé un paiement.',
      'no-funds': 'Ce compte n’a pas assez de {currency}. Vous n’avez rien payé.',
      'wrong-account':
        'Ce don attend un paiement de {from}. Choisissez ce compte dans votre portefeuille, ou recommencez.',
      'perhaps-paid':
        'Ce paiement a déjà été demandé à votre portefeuille, et cette page n’a pas vu la réponse. Regardez d’abord dans votre portefeuille. N’appuyez de nouveau que s’il n’a rien envoyé.',
      blocked:
        'La loi nous interdit de participer à des transferts avec ce portefeuille. Vous n’avez rien payé.',
      closed: 'Cette campagne vient de cesser d’accepter des dons. Vous n’avez rien payé.',
      'too-many':
        'Trop de dons attendent déjà un paiement de ce portefeuille. Payez ou annulez d’abord l’un d’eux.',
      limited: 'Trop de dons sont venus de votre réseau. Réessayez dans quelques minutes.',
      refused: 'Vérifiez votre saisie. Vous n’avez rien payé.',
      unreachable:
        'Nous ne sommes pas joignables en ce moment. Vous n’avez rien payé. Réessayez dans une minute.',
    },
    walletSays: 'En savoir plus sur cette erreur',
  }),
  escrow: {
    before: ({ isFirst }) =>
      `La page suivante liste chaque demande de votre portefeuille, avec ses frais, avant qu’il la pose. Vous payez les frais du réseau.${isFirst ? ' Le contrat n’est pas encore sur la chaîne : vous payez aussi pour cela.' : ''} Fundproof ne prend rien.`,
    next: 'Suite : voir les demandes du portefeuille',
    confirmHint:
      'Comparez chaque demande de votre portefeuille avec la liste ci-dessus. Refusez ce qui diffère.',
    rejected:
      'Vous avez refusé dans votre portefeuille. Vous n’avez rien donné. Seuls les frais des demandes confirmées avant sont dépensés.',
    title: (count) =>
      count === 1
        ? 'Votre portefeuille demande une fois'
        : `Votre portefeuille demande ${count} fois`,
    lead: 'Refusez ce qui diffère de ce que vous lisez ici. Tant que vous n’avez pas confirmé la dernière demande, vous n’avez rien donné.',
    of: ({ step, all }) => `Demande ${step} sur ${all}`,
    kinds: {
      permission: {
        title: 'Signer une autorisation',
        what: 'Elle permet au séquestre, et à aucun autre compte, de prendre ce montant une fois.',
      },
      deploy: {
        title: 'Mettre le contrat sur la chaîne',
        what: 'Il n’est pas encore sur la chaîne : vous payez aussi pour cela. Les conditions sont déjà fixées.',
      },
      approve: {
        title: 'Autoriser le montant',
        what: 'Elle permet au séquestre, et à aucun autre compte, de prendre ce montant.',
      },
      give: {
        title: 'Donner',
        what: 'Le séquestre prend l’argent et vous enregistre comme donateur. Si la campagne échoue, vous pouvez récupérer votre part, et aucun vérificateur n’a à signer.',
      },
      batch: {
        title: 'Donner en une demande',
        what: 'Votre portefeuille envoie ces appels ensemble. Le séquestre prend l’argent et vous inscrit comme donateur.',
      },
    },
    moves: (amount) => `Déplace ${amount}.`,
    movesNone: 'Ne déplace pas d’argent.',
    fee: 'Frais du réseau :',
    noFee: 'Sans frais.',
    shows: 'Votre portefeuille affiche',
    kind: 'Type',
    signature: 'Demande de signature',
    transaction: 'Transaction',
    calls: 'Plusieurs appels en une demande',
    action: 'Opération',
    to: 'À',
    value: 'Valeur',
    limit: 'Limite',
    until: 'Valable jusqu’au',
    parties: { escrow: 'le séquestre', factory: 'la fabrique des séquestres', token: 'le jeton' },
    units: (amount) => `Cela fait ${amount}, dans les plus petites unités du jeton.`,
    inside: (amount) => `Les ${amount} se déplacent dans l’appel.`,
    costs: {
      title: 'Ce que cela coûte',
      donation: 'Don',
      network: 'Frais du réseau, payés par vous',
      own: 'Frais de Fundproof',
      none: 'aucuns',
      note: 'Les frais sont une estimation. Votre portefeuille les affiche avant que vous confirmiez.',
    },
    gas: (gas) => `environ ${gas} de gas`,
    about: (fee) => `environ ${fee}`,
  },
  whoseTitle: 'Si une autre personne indique mon paiement',
  whose:
    'Un paiement appartient à la première personne qui a indiqué ici son portefeuille ou son hash. Ensuite, seules deux choses le déplacent : le lien d’un invité, ou une signature du portefeuille qui a payé.',
  how: {
    title: 'Comment payer',
    send: ({ amount, network }) =>
      `Envoyez exactement ${amount} sur ${network}. Le don compte dès que son paiement est définitif.`,
    contested: ({ amount }) =>
      `Un autre don attend aussi un paiement de ce portefeuille. Envoyez exactement ${amount}, avec tous les chiffres. Si votre paiement compte pour l’autre don, connectez-vous avec le portefeuille qui a payé et déclarez le paiement sous « J’ai déjà payé ».`,
    fromWallet: 'C’est à ce portefeuille que nous reconnaissons votre paiement.',
    fromNamed: 'Le portefeuille indiqué lors de l’enregistrement de ce don',
    token: 'Jeton',
    account: 'Vers le compte',
    wallet: 'Depuis le portefeuille',
    notSent: 'Pas encore envoyé ? Comment payer',
    openPhone: 'Ouvrir dans un portefeuille sur ce téléphone',
    checkThere: ({ amount, account, network }) =>
      `Vérifiez-y : ${amount} à ${account} sur ${network}.`,
    openApp: (name) => `Ouvrir ${name}`,
    scan: 'Scanner avec un autre appareil',
    open: 'Ouvrir dans un portefeuille sur cet appareil',
    check: ({ amount, account }) =>
      `Certains portefeuilles lisent mal les codes. Vérifiez que le vôtre affiche ${amount} pour ${account}.`,
    codeLabel: ({ amount, account, network }) =>
      `Code pour un paiement de ${amount} à ${account} sur ${network}`,
    bareTitle: 'Mon portefeuille ne comprend pas le code',
    bare: ({ amount, network }) =>
      `Ce code contient seulement le compte. Choisissez ${network} dans votre portefeuille et saisissez vous-même ${amount}.`,
    bareLabel: ({ account }) => `Code du compte ${account}`,
    panelTitle: 'Payer avec un portefeuille de ce navigateur',
    hashTitle: 'J’ai envoyé le paiement',
    hashHint:
      'Nécessaire seulement si vous avez payé depuis un autre portefeuille, ou si le paiement n’apparaît pas ici de lui-même.',
    hash: 'Hash de la transaction',
    hashButton: 'Enregistrer le hash',
    cancel: 'Annuler ce don',
    cancelHint: 'Seulement si vous n’avez pas payé.',
  },
  offered: {
    found: 'Nous avons trouvé ce paiement.',
    from: ({ money, sender, block }) => `${money} de ${sender}, dans le bloc ${block}.`,
    named: (wallet) => `Vous aviez indiqué ${wallet}.`,
    second: (money) => `Un second paiement de ${money} n’est pas attribué.`,
    sameWallet: (block) =>
      `Il vient du même portefeuille, dans le bloc ${block}. La campagne a l’argent, mais il ne compte pas encore comme un don.`,
    onlyYours:
      'Faites-le seulement si vous l’avez envoyé : une plateforme paie pour beaucoup de gens depuis un même portefeuille.',
    take: 'En faire ce don',
    add: 'L’ajouter comme mon don',
    see: 'Voir le paiement',
  },
  paid: {
    title: (campaign) => `Déjà payé à ${campaign} ?`,
    lead: 'Indiquez-nous la transaction, et elle devient votre don.',
    transaction: 'Transaction',
    transactionHint: 'Son hash, ou son adresse dans un explorateur de blocs.',
    notInBlockHint: 'Nécessaire seulement si aucun bloc ne contient encore le paiement.',
    wallet: 'Portefeuille qui a payé',
    button: 'Trouver mon paiement',
    seeDonation: 'Voir ce don',
    claimLink: 'Se connecter avec le portefeuille qui a payé',
  },
}
