import type { CheckPageTexts } from './en.ts'

export const fr: CheckPageTexts = {
  title: 'Vérifier une preuve',
  lead: 'Votre navigateur recalcule la preuve. Le fichier reste sur votre ordinateur, et le bloc vient de votre portefeuille, d’un explorateur ou des validateurs de la chaîne, jamais de nous.',
  alone: {
    title: 'Sans ce site',
    text: 'Cette page vient du service que la preuve concerne. Vous pouvez vous en passer : le programme est ouvert, et il ne lui faut que la preuve, les clés, et un nœud de votre choix ou un point de contrôle.',
    keys: 'Les clés de ce service',
  },
  island: {
    start: 'Vérifier cette preuve',
    again: 'Vérifier à nouveau',
    reading: 'Lecture de la preuve…',
    asking: 'Le bloc {block} est demandé à {names}…',
    notReady:
      'La preuve n’est pas encore prête. Elle l’est quelques secondes après le crédit. Cette page redemande d’elle-même.',
    slow: 'C’est plus long que d’habitude. Vous pouvez fermer cette page et revenir : rien n’est perdu.',
    alone: 'Continuer sans réponse',
    noAnswer: 'La preuve n’a pas pu être chargée. Vérifiez votre connexion et réessayez.',
    noJavaScript:
      'La vérification dans le navigateur demande JavaScript. Sans lui, téléchargez la preuve et vérifiez-la avec le programme.',
    verdicts: {
      proven: 'Toutes les étapes sont justes.',
      needs_hash:
        'Prenez le hash du bloc {block} dans votre portefeuille ou sur un explorateur, pas chez nous.',
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
      failed: 'Voyez ci-dessous quelle étape échoue.',
    },
    titles: {
      proven: 'Le don est prouvé.',
      needs_hash: 'Un point reste ouvert : le hash du bloc.',
      open: 'Le don n’est pas encore prouvé.',
      wrong: 'Le don n’est PAS prouvé.',
    },
    says: {
      proven: 'Ce que votre navigateur a prouvé',
      soFar: 'Ce qui est juste jusqu’ici',
      paid: '{amount} sont allés de {sender} à {account}.',
      arrived: '{amount} sont arrivés sur {account}. La chaîne ne montre pas de qui.',
      onlyIf: 'Cela vaut si le bloc {block} est tel que le dit la preuve.',
      block:
        'Le paiement est dans le bloc {block} de {chain}. Source du hash de ce bloc : {names}.',
      credit:
        'Le grand livre de ce service le crédite une seule fois, à {campaign}, et le service l’a signé.',
      campaign: 'cette campagne',
      trusted: 'Qui a été cru sur parole',
      trust: 'Vous avez cru sur parole {list}.',
      keep: 'Un fichier gardé d’un jour antérieur vous dispense de croire ce site.',
      others: 'Ce que seule une autre source sait',
    },
    stepsTitle: 'Les {count} étapes',
    stepsHeld: '{held} justes sur {count}',
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
    words: {
      source: '{names} pour le hash du bloc',
      no_source: 'aucune source encore pour le hash du bloc',
      own_key: 'le fichier que vous avez gardé pour la clé du service',
      site_key: 'ce site pour sa propre clé',
      unknown_key: 'aucune source encore pour la clé',
      reversal: 'le service pour n’avoir pas retiré le crédit depuis',
      price: 'le service pour le cours auquel il compte le paiement',
      receipt: 'le service pour la transaction du reçu de transaction',
      balance: 'le service pour la transaction qui a augmenté le solde',
    },
    head: {
      titles: {
        current: 'La tête est signée, et le grand livre se termine encore par elle.',
        older: 'La tête est signée. Le grand livre a grandi depuis.',
        alone: 'La tête est signée.',
        other: 'Le grand livre de ce site ne correspond PAS à cette tête.',
        unsigned: 'La tête n’est PAS prouvée.',
        no_signatures: 'Ce navigateur ne peut pas vérifier la signature.',
      },
      why: {
        current:
          'Rien n’a été ajouté ni modifié depuis que vous l’avez gardée. Les montants n’ont pas été additionnés ici.',
        older:
          'Le grand livre de ce site en est au sceau {newest}. Le total de cette tête est la somme des écritures jusqu’au sceau {seq}.',
        alone: 'Ce site n’a pas donné sa tête la plus récente. Connectez-vous et réessayez.',
        other:
          'Ce site a une autre tête pour le sceau {seq}, ou n’a plus ce sceau. Son grand livre a été modifié après la signature, ou il repart d’une sauvegarde. Gardez le fichier et demandez à l’opérateur.',
        unsigned: 'Aucune clé de ce site n’a signé cette tête, ou le fichier a été modifié.',
        no_signatures:
          'Prenez un navigateur récent et une adresse en https, ou le programme de ce service.',
      },
      signed: 'Une clé de ce site a signé le sceau {seq} du grand livre de {campaign}.',
      fixed:
        'La tête fixe chaque écriture jusqu’à ce sceau, et avec elles leur total. Si l’une change, la tête est une autre.',
      trusted:
        'La tête elle-même ne donne aucun montant : additionnez les écritures, voir {ledger}. Écritures selon le fichier : {entries}, sceau du {time}. La signature ne couvre pas ces deux indications.',
      ledger: 'le grand livre',
      keep: 'Gardez le fichier. La prochaine preuve déposée ici est comparée à lui.',
    },
    signedBy: 'Signé avec la clé {key}',
    compare: 'Comparer à un fichier que vous avez gardé',
    compareHint:
      'Un fichier de clés, une tête du grand livre ou des mises à jour d’un comité de synchronisation d’un jour antérieur. Le fichier reste chez vous.',
    comparedWith: 'Comparé à {file}',
    unknownFile: 'Ce fichier ne contient ni clé ni tête du grand livre.',
    problems: {
      other_chain: '{name} utilise un autre réseau que {chain}.',
      no_block: '{name} ne connaît pas ce bloc.',
      no_answer: '{name} n’a pas répondu.',
      no_updates:
        'Ce site n’a donné aucune mise à jour pour ce point de contrôle. Vérifiez votre connexion, prenez la racine du slot ci-dessous, ou choisissez un fichier de mises à jour.',
      not_proven: 'Le point de contrôle ne prouve pas ce bloc :',
    },
    noWallet: 'Il n’y a pas de portefeuille dans ce navigateur.',
    switchTo: 'Passer {name} sur {chain}',
    unnamedWallet: 'Portefeuille du navigateur',
    hashLabel: 'Hash du bloc {block}',
    hashHint: 'Les 64 caractères après 0x, comme tout explorateur les montre.',
    hashWrong: 'Un hash se compose de 0x et de 64 caractères.',
    checkpointLabel: 'Ou un point de contrôle : la racine d’un bloc beacon définitif',
    checkpointHint:
      '32 octets que vous avez gardés, ou la racine du bloc du slot {slot}, si plusieurs explorateurs beacon donnent la même. À partir de là, les validateurs de la chaîne prouvent le bloc. Ce site ne donne que leurs signatures, qui sont vérifiées ici.',
    checkCheckpoint: 'Vérifier avec ce point de contrôle',
    checkHash: 'Vérifier avec ce hash',
    explorer: 'Ouvrir le bloc dans un explorateur',
    you: 'votre propre source',
    ownCheckpoint: 'votre point de contrôle',
    committee: 'les validateurs de la chaîne (à partir de votre point de contrôle)',
    describedCommittee:
      'les validateurs de la chaîne (à partir de votre point de contrôle, dans un réseau tel que ce site le décrit)',
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
      file: 'Choisissez une preuve ou la tête d’un grand livre, ou déposez-la sur cette page',
      fileHint:
        'Le fichier que vous avez téléchargé sur la page d’un don ou d’un grand livre, ou des mises à jour d’un comité de synchronisation.',
      paste: 'Ou collez la preuve',
      node: 'Votre propre nœud',
      nodeHint:
        'Facultatif : l’adresse d’un nœud de confiance, en https. Sans elle, votre portefeuille est interrogé.',
      nodeWrong: 'Ce n’est pas une adresse en https.',
      keys: 'Ce sont des clés. La prochaine preuve déposée ici leur est comparée.',
      updates:
        'Ce sont des mises à jour d’un comité de synchronisation. Choisissez maintenant la preuve.',
      notJson: 'Ce n’est pas une preuve. Une preuve est un fichier JSON.',
    },
  },
}
