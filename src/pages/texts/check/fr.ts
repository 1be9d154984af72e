import type { CheckPageTexts } from './en.ts'

export const fr: CheckPageTexts = {
  title: 'Vérifier une preuve',
  lead: 'Votre navigateur recalcule la preuve. Le fichier reste sur votre ordinateur, et le bloc vient de votre portefeuille ou d’un explorateur, jamais de nous.',
  alone: {
    title: 'Sans ce site',
    text: 'Cette page vient du service que la preuve concerne. Vous pouvez vous en passer : le programme est ouvert, et il ne lui faut que la preuve, les clés et un nœud de votre choix.',
    keys: 'Les clés de ce service',
  },
  island: {
    start: 'Vérifier cette preuve',
    again: 'Vérifier à nouveau',
    reading: 'Lecture de la preuve…',
    asking: 'Le bloc {block} est demandé à {names}…',
    notReady:
      'La preuve n’est pas encore prête. Elle l’est quelques secondes après le crédit. Cette page redemande d’elle-même.',
    noAnswer: 'La preuve n’a pas pu être chargée. Vérifiez votre connexion et réessayez.',
    noJavaScript:
      'La vérification dans le navigateur demande JavaScript. Sans lui, téléchargez la preuve et vérifiez-la avec le programme.',
    verdicts: {
      proven: 'Le don est prouvé. Toutes les étapes sont justes.',
      needs_hash:
        'Tout est juste, mais un point reste ouvert : le hash du bloc {block}. Prenez-le dans votre portefeuille ou sur un explorateur, pas chez nous.',
      other_block:
        'D’après {source}, le bloc {block} a un autre hash : {hash}. Soit la chaîne a remplacé le bloc, soit la preuve est fausse.',
      unknown_key:
        'Le paiement sur la chaîne est prouvé. Le crédit ne l’est pas : sa clé n’est pas une clé de ce site. Un fichier de clés ne le prouve que si vous savez vous-même que la clé est celle du service.',
      other_key:
        'Une clé qui n’est pas dans votre fichier a signé cette preuve. Ne vous y fiez pas.',
      lower_level:
        'Tout est juste, mais la chaîne prouve ici moins que la transaction elle-même. À vous de décider si cela suffit.',
      other_donation: 'C’est la preuve d’un autre don que celui de cette page.',
      other_history:
        'Votre fichier donne une autre tête pour le même sceau. Le service a modifié son grand livre après que vous avez gardé ce fichier.',
      no_signatures:
        'Ce navigateur ne peut pas vérifier la signature. Prenez un navigateur récent et une adresse en https, ou le programme.',
      not_a_proof: 'Ce n’est pas une preuve que cette page sait lire.',
      failed: 'Le don n’est PAS prouvé. Voyez les étapes qui échouent.',
    },
    stepsTitle: 'Étapes',
    steps: {
      format: 'Le fichier est une preuve complète',
      header: 'L’en-tête est bien celui du bloc',
      chain: 'Le bloc est sur la chaîne',
      receipt: 'Le reçu de transaction est dans le bloc, et le paiement a réussi',
      transaction: 'La transaction est dans le bloc',
      escrow: 'Le compte est le contrat de séquestre avec ces conditions',
      payment: 'Montant, monnaie, expéditeur et destinataire sont justes',
      balance: 'Le solde du compte a augmenté du montant',
      level: 'La chaîne prouve autant que vous le demandez',
      entries: 'Le grand livre crédite le paiement une seule fois',
      inclusion: 'Les écritures du grand livre sont scellées',
      head: 'La tête du grand livre découle du sceau',
      signature: 'Le service a signé la tête',
      page: 'C’est le don de cette page',
      kept: 'Le fichier que vous avez gardé concorde',
    },
    holds: 'juste',
    fails: 'échoue',
    unchecked: 'non vérifié',
    wordsTitle: 'Qui croire encore sur parole',
    words: {
      source: '{names} : que le bloc {block} de {chain} a ce hash',
      no_source: 'aucune source pour l’instant : que le bloc {block} de {chain} a ce hash',
      own_key: 'vous : que le fichier gardé contient la clé du service',
      site_key: 'ce site : que la clé est la sienne, tant que vous ne la comparez à aucun fichier',
      unknown_key: 'aucune source pour l’instant : que la clé est celle du service',
      reversal: 'le service : qu’il n’a pas retiré le crédit depuis',
      price: 'le service : le cours auquel il compte le paiement',
      receipt: 'le service : la transaction à laquelle appartient le reçu de transaction',
      balance: 'le service : la transaction qui a augmenté le solde',
    },
    signedBy: 'Signé avec la clé {key}',
    compare: 'Comparer à un fichier que vous avez gardé',
    compareHint:
      'Un fichier de clés ou une tête du grand livre d’un jour antérieur. Le fichier reste chez vous.',
    comparedWith: 'Comparé à {file}',
    unknownFile: 'Ce fichier ne contient ni clé ni tête du grand livre.',
    problems: {
      other_chain: '{name} utilise un autre réseau que {chain}.',
      no_block: '{name} ne connaît pas ce bloc.',
      no_answer: '{name} n’a pas répondu.',
    },
    noWallet: 'Il n’y a pas de portefeuille dans ce navigateur.',
    switchTo: 'Passer {name} sur {chain}',
    unnamedWallet: 'Portefeuille du navigateur',
    hashLabel: 'Hash du bloc {block}',
    hashHint: 'Les 64 caractères après 0x, comme tout explorateur les montre.',
    hashWrong: 'Un hash se compose de 0x et de 64 caractères.',
    checkHash: 'Vérifier avec ce hash',
    explorer: 'Ouvrir le bloc dans un explorateur',
    you: 'vous',
    accept: 'Cela me suffit',
    facts: {
      title: 'Ce que dit la preuve',
      amount: 'Montant',
      donation: 'Don',
      account: 'Compte',
      sender: 'Expéditeur',
      unknownSender: 'La chaîne ne le montre pas',
      transaction: 'Transaction',
      block: 'Bloc',
      chain: 'Réseau',
    },
    desk: {
      file: 'Choisissez une preuve, ou déposez-la sur cette page',
      fileHint: 'Le fichier que la page d’un don permet de télécharger.',
      paste: 'Ou collez la preuve',
      node: 'Votre propre nœud',
      nodeHint:
        'Facultatif : l’adresse d’un nœud de confiance, en https. Sans elle, votre portefeuille est interrogé.',
      nodeWrong: 'Ce n’est pas une adresse en https.',
      notJson: 'Ce n’est pas une preuve. Une preuve est un fichier JSON.',
    },
  },
}
