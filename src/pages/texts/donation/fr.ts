import type { DonationTexts } from './en.ts'

export const fr: DonationTexts = {
  title: (money, campaign) => `${money} pour ${campaign}`,
  state: 'État du don',
  done: {
    onItsWay: 'En route',
    credited: 'Crédité',
    proven: 'Prouvé',
    refunded: 'REMBOURSÉ',
    partly: (back, all) => `REMBOURSÉ EN PARTIE, ${back} sur ${all}`,
  },
  way: 'Son parcours',
  wayLength: (steps, time) => `${steps} étapes, ${time}`,
  share: 'Partager',
  shared: 'Le lien est copié.',
  steps: {
    promised: 'Promis',
    sent: 'Envoyé',
    in_block: 'Dans un bloc',
    credited: 'Définitif et crédité',
    sealed: 'Scellé',
    proven: 'Prouvé',
  },
  marks: { done: 'fait', now: 'maintenant', next: 'plus tard', bad: 'n’a pas eu lieu' },

  confirming: (block, minutes) => {
    if (minutes === null) {
      return `Dans le bloc ${block}, qui n’est pas encore définitif. Vous pouvez fermer cette page.`
    }
    const time = minutes === 1 ? 'une minute' : `${minutes} minutes`
    return `Dans le bloc ${block}. Définitif dans ${time} environ ; vous pouvez fermer cette page.`
  },
  confirmations: (count, required) => `${count} blocs sur ${required}`,
  credited: (money) => `${money} sont crédités à la campagne. Merci.`,
  proven: 'Vous pouvez vérifier la preuve ci-dessous, sans nous croire sur parole.',
  sealing:
    'Le grand livre est en train d’être scellé. La preuve sera prête dans quelques secondes.',
  worthless:
    'Le paiement vaut moins que la plus petite unité de la monnaie de la campagne. Il ne compte pour rien et n’a pas de preuve.',
  paidBack: (money) => `Le contrat de séquestre a rendu ${money}, soit tout ce don.`,
  partlyPaidBack: (money) => `Le contrat de séquestre a rendu ${money} de ce don.`,
  paidElsewhere: (money, account) =>
    `Le contrat de séquestre a versé ${money} de ce don à ${account}, comme ses vérificateurs l’ont signé.`,
  nextLook: (time) => `Prochaine vérification : ${time}`,
  closed: 'Ne payez plus : la campagne n’accepte plus de dons.',
  unrecorded:
    'Ne payez pas : le contrat de séquestre n’enregistrerait pas ce paiement, et des vérificateurs devraient signer son retour.',
  reasons: {
    waiting_for_transaction: {
      why: 'Aucun bloc ne montre encore la transaction.',
      next: 'Quelques minutes sont normales. Si cela dure, accélérez-la dans votre portefeuille : cette page suit d’elle-même la nouvelle transaction. Vous pouvez la fermer.',
    },
    waiting_for_payment: {
      why: 'Le paiement n’est pas encore arrivé.',
      next: 'Payez comme indiqué ci-dessous. Vous pouvez fermer cette page : un paiement compte quel que soit le moment où il arrive, tant que la campagne accepte des dons.',
    },
    node_unavailable: {
      why: 'Les nœuds que nous interrogeons ne répondent pas en ce moment.',
      next: 'Rien n’est perdu. Le don avance dès qu’ils répondent.',
    },
    node_disbelieved: {
      why: 'Les réponses des nœuds ne tiennent pas, nous ne les comptons donc pas.',
      next: 'Rien n’est perdu. Nous demandons jusqu’à ce qu’une réponse se prouve.',
    },
    waiting_for_finality_proof: {
      why: 'Les nœuds disent le bloc définitif, mais il nous manque encore les signatures des validateurs qui le prouvent.',
      next: 'Rien n’est perdu. Le don avance dès que nous avons cette preuve, en général en quelques minutes.',
    },
    internal_payment_unproven: {
      why: 'Un contrat a fait ce paiement, et la chaîne ne prouve pas encore combien est arrivé.',
      next: 'Nous continuons à chercher une preuve. Si cela dure plus d’un jour, demandez à l’opérateur en indiquant ce don.',
    },
    replacement_not_found: {
      why: 'Une autre transaction du même portefeuille a pris la place de celle-ci, et nous ne la connaissons pas.',
      next: 'Si vous l’avez accélérée, cherchez le nouveau hash dans votre portefeuille et déclarez-le sous « J’ai déjà payé ».',
    },
    price_unavailable: {
      why: 'Le paiement est définitif, mais il n’y a pas encore de cours pour le convertir.',
      next: 'L’argent est en sûreté sur le compte de la campagne. Il est crédité dès qu’il y a un cours.',
    },
    price_stale: {
      why: 'Le paiement est définitif, mais le cours à son bloc est trop ancien pour compter.',
      next: 'L’argent est en sûreté sur le compte de la campagne. Nous redemandons un meilleur cours.',
    },
    sequencer_down: {
      why: 'Le paiement est définitif, mais la chaîne venait de tomber en panne, ses cours ne comptent donc pas encore.',
      next: 'L’argent est en sûreté sur le compte de la campagne. Nous redemandons le cours.',
    },
    transaction_reverted: {
      why: 'La transaction a échoué sur la chaîne, aucun argent n’a donc bougé.',
      next: 'Seuls les frais sont perdus. Vous pouvez donner à nouveau.',
    },
    wrong_recipient: {
      why: 'La transaction a payé un autre compte que celui de cette campagne.',
      next: 'Regardez dans votre portefeuille où l’argent est allé. Nous ne pouvons pas le récupérer.',
    },
    unknown_token: {
      why: 'La transaction a payé dans un jeton que cette campagne n’accepte pas.',
      next: 'Le jeton est sur le compte de la campagne, mais il ne compte pas. Demandez au créateur, ou aux vérificateurs d’un séquestre, de le renvoyer.',
    },
    no_such_transfer: {
      why: 'La transaction ne contient pas ce paiement à cette campagne.',
      next: 'Comparez le hash avec votre portefeuille. Si c’en était un autre, déclarez le don à nouveau.',
    },
    ledger_address_mismatch: {
      why: 'La transaction n’a aucun paiement depuis l’adresse indiquée ni vers elle.',
      next: 'Déclarez le don à nouveau avec le portefeuille qui a payé.',
    },
    transfer_before_campaign: {
      why: 'Le paiement est plus ancien que la campagne.',
      next: 'Il ne peut pas compter. Demandez au créateur, ou aux vérificateurs d’un séquestre : l’argent est sur le compte de la campagne.',
    },
    transfer_already_claimed: {
      why: 'Ce paiement appartient déjà à un autre don.',
      next: 'Si vous avez payé, connectez-vous avec le portefeuille qui a payé et déclarez-le de nouveau sous « J’ai déjà payé » : le don devient le vôtre.',
    },
    block_unsupported: {
      why: 'Le paiement est dans un bloc que ce service ne peut pas prouver.',
      next: 'Demandez à l’opérateur en indiquant ce don.',
    },
    returned_in_transaction: {
      why: 'L’argent a quitté à nouveau le compte de la campagne dans la même transaction.',
      next: 'Il ne reste rien qui puisse compter. Vous pouvez donner à nouveau.',
    },
    transaction_replaced: {
      why: 'Votre portefeuille a remplacé la transaction par une autre, qui ne paie pas cette campagne.',
      next: 'La campagne n’en a reçu aucun argent. Vous pouvez donner à nouveau.',
    },
    moved_to_wallet_owner: {
      why: 'Le paiement compte maintenant comme don du titulaire du portefeuille qui a payé.',
      next: 'Si c’est votre portefeuille, connectez-vous avec lui pour voir le don.',
    },
    cancelled: {
      why: 'La promesse a été annulée avant tout paiement.',
      next: 'Si vous avez payé malgré tout, déclarez le paiement sous « J’ai déjà payé ».',
    },
    asset_not_escrowed: {
      why: 'Le contrat de séquestre de cette campagne garde une autre monnaie que celle qui a été payée.',
      next: 'Le paiement ne compte pas. Quand la campagne sera finie, ses vérificateurs pourront le rendre.',
    },
    campaign_failed: {
      why: 'Le contrat de séquestre de la campagne avait échoué avant ce paiement.',
      next: 'Le paiement ne compte pas. Les vérificateurs de la campagne doivent signer son retour.',
    },
    never_seen: {
      why: 'Aucun nœud n’a montré la transaction pendant tout le temps de notre attente.',
      next: 'Si elle entre plus tard dans un bloc, le don avance de lui-même. Votre portefeuille montre ce qu’elle est devenue.',
    },
    payment_not_received: {
      why: 'Aucun paiement n’est arrivé à temps.',
      next: 'Un paiement tardif compte aussi : il fait revivre ce don.',
    },
    another_intent_paid: {
      why: 'Vous aviez promis deux fois la même chose, et le paiement est allé à l’autre promesse.',
      next: 'Il n’y a plus rien à faire. L’autre don a reçu l’argent.',
    },
    reorganised: {
      why: 'La chaîne a remplacé le bloc de ce paiement, le crédit a donc été retiré.',
      next: 'Il est crédité à nouveau si le paiement revient dans la chaîne. Votre portefeuille montre si l’argent est parti.',
    },
  },

  named: {
    none: {
      why: 'Envoyé. En attente d’un bloc.',
      next: 'Quelques minutes sont normales, et cette page change d’elle-même. Si c’est plus long, nous ne connaissons dans cette transaction aucun paiement à cette campagne : comparez le hash avec celui de votre portefeuille.',
    },
    found: {
      why: 'Un bloc contient le paiement indiqué, mais il n’appartient pas encore à ce don.',
      next: 'Seule la personne qui donne peut en faire ce don, sur cette page.',
    },
    show: 'Afficher le paiement',
  },

  notes: {
    under: (declared, arrived) =>
      `${arrived} sont arrivés, moins que les ${declared} promis. Ce qui est arrivé compte.`,
    over: (declared, arrived) =>
      `${arrived} sont arrivés, plus que les ${declared} promis. Tout compte.`,
    other_asset: (declared, arrived) =>
      `${arrived} sont arrivés au lieu de ${declared}. Ils comptent au cours de leur bloc.`,
    late: 'Le paiement est arrivé tard. Il compte quand même.',
    discrepancy: (declared, arrived) =>
      `${declared} étaient annoncés, et ${arrived} sont arrivés. Ce qui est arrivé compte.`,
    replaced: 'Votre portefeuille a remplacé la transaction, et ce don a suivi la nouvelle.',
    onChain:
      'Le contrat de séquestre a enregistré le donateur, le remboursement se passe donc de vérificateurs.',
    byVerifiers:
      'Le contrat de séquestre n’a pas enregistré le donateur, ses vérificateurs doivent donc signer le remboursement.',
  },

  facts: {
    title: 'Détails',
    promised: 'Promis',
    arrived: 'Arrivé',
    counts: 'Compte pour la campagne',
    refund: 'Si la campagne échoue',
    counted: (money) => `Compte pour ${money}`,
    donor: 'Donateur',
    rate: ({ one, price, isFixed }) =>
      `${one} = ${price}, ${isFixed ? 'cours fixé par ce service' : 'cours de Chainlink, au bloc'}`,
    countsNow: 'Compte maintenant',
    worth: 'Valeur au moment du bloc',
    anonymous: 'Anonyme',
    hidden: 'Seuls vous et le créateur le voyez.',
    account: 'Compte de la campagne',
    firstTransaction: 'Première transaction',
    replacedBy: 'Remplacée par',
    entries: 'Écritures du grand livre',
    seal: (number, time) => `Sceau ${number}, ${time}`,
    sealKey: 'Clé du sceau',
    sealHead: 'Tête du grand livre',
    recorded: 'Déclaré',
    number: 'Numéro du don',
  },

  refund: {
    title: 'Votre remboursement',
    collect: (money) => `Le séquestre rend l’argent : récupérez ${money}`,
    states: { unsigned: 'Attend des signatures', ready: 'Peut être envoyé' },
    ready:
      'Le contrat de séquestre rend votre argent. Tout compte peut envoyer la transaction et ne paie que les frais du réseau.',
    unsigned: (signatures) =>
      `Le contrat n’a pas enregistré ce paiement, des vérificateurs doivent donc signer son retour. Signatures requises : ${signatures}. Montrez aux vérificateurs que le compte qui a payé est le vôtre.`,
    sent: 'Votre remboursement est dans un bloc qui n’est pas encore définitif. Cette page le montrera dès qu’il le sera.',
    done: 'Le contrat de séquestre a versé votre remboursement.',
    elsewhere:
      'Des vérificateurs ont signé que le contrat de séquestre verse cet argent à un autre compte que l’expéditeur que nous connaissons.',
    to: 'L’argent va à',
    show: 'Afficher la transaction',
    posted: 'Envoyée. Cette page montrera votre remboursement dès qu’il sera dans un bloc.',
  },

  guest: {
    title: 'Vous avez donné sans compte',
    keep: 'Gardez l’adresse de cette page pour retrouver votre don. Ou gardez le don dans un compte : par courriel, ou avec le portefeuille qui a payé.',
    signIn: 'Se connecter pour le garder',
    claim: 'Le garder dans mon compte',
  },

  check: {
    title: 'Vérifiez vous-même',
    lead: 'Votre navigateur recalcule la preuve. Il demande le bloc à votre portefeuille, pas à nous.',
    download: 'Télécharger la preuve',
    keep: 'Gardez la preuve : elle se vérifie sans ce site, même dans de nombreuses années.',
  },

  receipt: {
    title: 'Reçu',
    print: 'Imprimer ou enregistrer en PDF',
    notYet: 'Pas encore définitif',
    notYetText:
      'Ce n’est pas un reçu. Le paiement est dans un bloc que la chaîne peut encore retirer.',
    none: 'Il n’y a pas de reçu.',
    noneText: 'Un don a un reçu dès que son paiement est définitif et crédité.',
    number: 'Reçu',
    second: (time) => `Version 2, remplace la version 1 du ${time}`,
    issuedBy: (name) => `Établi par ${name}`,
    operatorOf: (host) => `l’opérateur de ${host}`,
    noGift: 'Ce n’est pas le reçu d’un don : tout a été remboursé.',
    noPrice: 'Pas de cours à ce bloc',
    paidTo: 'Payé à',
    escrowOf: (campaign) => `Séquestre de ${campaign}`,
    isProven: 'Ce compte a prouvé par sa signature qu’il est celui de la campagne.',
    unchecked: 'nom non vérifié',
    givenBy: 'Donné par',
    asWritten: 'comme le donateur l’a écrit',
    purpose: 'Pour',
    direct: 'Directement au bénéficiaire, sans séquestre',
    held: 'Gardé par un contrat jusqu’à ce que des vérificateurs le libèrent',
    paidAt: 'Payé (heure du bloc)',
    paidBack: 'Remboursé',
    ofAll: (back, all) => `${back} sur ${all}`,
    fingerprint: 'Empreinte de la preuve (SHA-256)',
    noProof:
      'La preuve n’est pas encore prête. Elle l’est quelques secondes après le crédit : rechargez cette page.',
    how: 'Vérifier ce reçu sans nous croire sur parole',
    open: 'Scannez le code ou ouvrez {address}. La page montre le don tel qu’il est aujourd’hui.',
    compare: 'Téléchargez-y la preuve. Le SHA-256 du fichier doit être l’empreinte ci-dessus.',
    compareBack: 'La preuve porte sur le paiement reçu ; la chaîne montre le remboursement.',
    check:
      'Appuyez sur « Vérifier cette preuve » : votre navigateur la recalcule, et votre portefeuille donne le bloc. Ou prenez le programme ouvert et votre propre nœud : {command}',
    statementBack: (money) =>
      `Ce service n’a jamais détenu l’argent. Par ce reçu, il dit que le don a été crédité et que le contrat de séquestre a rendu ${money}. N’utilisez plus la version 1 de ce reçu.`,
    creditedAt: 'Crédité',
    of: 'Reçu d’un don',
    statement:
      'L’argent est allé directement sur le compte de la campagne. Ce service ne l’a jamais détenu. Par ce reçu, il dit que le paiement est définitif sur la chaîne et crédité dans le grand livre.',
    issued: (time) => `Établi le ${time}`,
    back: 'Retour au don',
  },
}
