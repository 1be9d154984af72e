import type { DonateTexts } from './en.ts'

export const de: DonateTexts = {
  title: (campaign) => `Spenden für ${campaign}`,
  errors: 'Bitte prüfen Sie das',
  cancelled: 'Die Spende ist storniert. Sie haben nichts gezahlt.',
  refusals: {
    amount: 'Geben Sie einen Betrag wie 25 oder 12,50 ein.',
    currency: 'Diese Kampagne nimmt diese Währung nicht an.',
    wallet: 'Geben Sie die Adresse der Wallet ein: 0x und 40 Buchstaben oder Ziffern.',
    walletName:
      'Namen wie jonas.eth gehen hier nicht. Geben Sie die Adresse selbst ein: 0x und 40 Buchstaben oder Ziffern. Ihre Wallet zeigt sie dort, wo Sie Geld empfangen.',
    ownAccount: 'Das ist das Konto der Kampagne selbst. Geben Sie die Wallet ein, die zahlt.',
    name: 'Der Name hat höchstens 80 Zeichen und keine Zeilenumbrüche.',
    message: 'Die Nachricht hat höchstens 280 Zeichen und keine Zeilenumbrüche.',
    transaction: 'Geben Sie den Hash einer Transaktion ein: 0x und 64 Buchstaben oder Ziffern.',
    closed: 'Diese Kampagne nimmt gerade keine Spenden an.',
    blocked: 'Das Gesetz verbietet uns, an Zahlungen mit dieser Wallet mitzuwirken.',
    tooMany:
      'Schon zu viele Spenden warten auf eine Zahlung dieser Wallet. Bezahlen oder stornieren Sie eine davon, oder melden Sie sich mit der Wallet an.',
    limited:
      'Aus Ihrem Netzwerk kamen zu viele Spenden. Versuchen Sie es in einigen Minuten noch einmal.',
    unverified: 'Bestätigen Sie zuerst Ihre E-Mail-Adresse. Wir haben Ihnen einen Code geschickt.',
    claimed:
      'Eine andere Spende hat diese Zahlung schon. Wenn Sie sie gesendet haben, melden Sie sich mit der Wallet an, die gezahlt hat.',
    early: 'Diese Zahlung ist älter als die Kampagne und deshalb keine Spende für sie.',
    unknownPayment:
      'Noch kein Block, den wir kennen, enthält diese Zahlung. Geben Sie Betrag und Wallet ein, dann suchen wir weiter.',
    paidOrCancelled: 'Diese Spende ist schon bezahlt oder storniert.',
    unavailable:
      'Wir können das gerade nicht prüfen. Nichts ist verloren. Versuchen Sie es in einer Minute noch einmal.',
    other: 'Das hat nicht geklappt. Prüfen Sie Ihre Angaben und versuchen Sie es noch einmal.',
  },
  currency: 'Währung',
  suggestions: 'Vorschläge für den Betrag',
  countsAs: (other, currency) =>
    `${other} zählt in ${currency}, zum Kurs des Blocks, der Ihre Zahlung enthält.`,
  rate: ({ one, about }) => `${one} sind gerade etwa ${about}.`,
  dollar: (one) => `USDC ist Geld auf einer Blockchain. ${one} ist etwa 1 US-Dollar wert.`,
  exchange:
    'Liegt Ihr Geld bei einer Börse? Senden Sie es zuerst an Ihre eigene Wallet: Eine Börse zahlt aus einer Wallet, die nicht Ihre ist, und wir würden Ihre Zahlung nicht erkennen.',
  optional: '(freiwillig)',
  slow: {
    text: 'Der Server hat seit 8 Sekunden nicht geantwortet. Vielleicht hat er bekommen, was Sie gesendet haben.',
    again: 'Seite noch einmal öffnen',
  },
  words: 'Ihre Worte',
  name: 'Name',
  message: 'Nachricht',
  wordsHint: 'Beides können alle lesen. Lassen Sie beides leer, um anonym zu bleiben.',
  alreadyPaid: 'Ich habe schon gezahlt',
  closed: {
    title: 'Diese Kampagne nimmt gerade keine Spenden an',
    what: 'Senden Sie kein Geld an ihr Konto.',
    escrow:
      'Der Treuhandvertrag dieser Kampagne trägt keine Spenden mehr ein. Senden Sie ihm kein Geld: Prüfer müssten die Rückgabe unterschreiben.',
  },
  summary: {
    title: 'Ihre Spende geht an',
    raised: ({ raised, target }) => `${raised} von ${target} gesammelt`,
    account: 'Konto',
    network: 'Netzwerk',
    direct: 'Das Geld geht direkt auf dieses Konto. Fundproof hält es nie selbst.',
    escrow: ({ deadline }) =>
      `Ein Treuhandvertrag hält das Geld, bis Prüfer eine Etappe freigeben. Ist das Ziel bis ${deadline} nicht erreicht, können die Spender es abholen.`,
  },
  copy: { address: 'Adresse kopieren', amount: 'Betrag kopieren', copied: 'Kopiert' },
  panel: ({ network, networkId, coin, account }) => ({
    legend: 'Wie möchten Sie zahlen?',
    looking: 'Wallets in diesem Browser werden gesucht…',
    noWallet:
      'Dieser Browser hat keine Wallet. Eine Wallet ist eine App oder Erweiterung, die Ihr Geld verwaltet.',
    byPhone:
      'Geben Sie die Adresse Ihrer Wallet ein. Die nächste Seite öffnet eine Wallet-App auf diesem Telefon oder zeigt einen Code für ein anderes Gerät.',
    openIn: 'Öffnen Sie diese Seite im Browser einer Wallet-App:',
    ownWallet:
      'Zahlen Sie aus Ihrer eigenen Wallet. Der Treuhandvertrag trägt Sie ein, und für eine Rückzahlung muss niemand unterschreiben. Liegt Ihr Geld bei einer Börse? Senden Sie es zuerst an Ihre eigene Wallet, denn eine Überweisung von einer Börse geht an die Börse zurück.',
    browserWallet: 'Browser-Wallet',
    phone: 'Wallet-App oder anderes Gerät',
    phoneHint:
      'Sie bekommen einen Link für eine Wallet-App, einen Code zum Scannen und alle Angaben als Text.',
    address: 'Adresse der Wallet, die zahlt',
    addressHint:
      'Sie beginnt mit 0x; ein Name wie jonas.eth geht nicht. An dieser Adresse erkennen wir Ihre Zahlung.',
    button: {
      show: 'Zahlungsdaten zeigen',
      connect: '{wallet} verbinden',
      connecting: 'Warten auf {wallet}…',
      switch: `Zu ${network} wechseln`,
      switching: 'Warten auf {wallet}…',
      pay: '{amount} spenden',
      checking: 'Guthaben wird geprüft…',
      intent: 'Spende wird eingetragen…',
      confirm: 'In {wallet} bestätigen…',
      sent: 'Gesendet',
    },
    cancel: 'Nicht mehr warten',
    startAgain: 'Stornieren und neu beginnen',
    connected: 'Verbunden mit {from}.',
    switchHint: `Ihre Wallet nutzt ein anderes Netzwerk. Diese Kampagne ist auf ${network}.`,
    confirmHint: `Prüfen Sie, ob Ihre Wallet {amount} anzeigt, und bestätigen Sie dann. Das Geld geht an ${account}.`,
    slow: 'Ihre Wallet hat eine offene Anfrage. Klicken Sie im Browser auf das Symbol der Wallet.',
    unanswered:
      'Seit 8 Sekunden kommt keine Antwort. Sie haben nichts gezahlt. Warten Sie, oder brechen Sie ab und versuchen Sie es noch einmal.',
    sent: 'Ihre Zahlung ist gesendet. Gleich öffnet sich die Seite Ihrer Spende.',
    signers:
      'Ihre Wallet ist ein Vertrag, vielleicht müssen noch andere Personen bestätigen. Sie können diese Seite schließen: Ihre Spende zählt, sobald ein Block die Zahlung enthält.',
    toDonation: 'Zu Ihrer Spende',
    problems: {
      rejected:
        'Sie haben in Ihrer Wallet abgelehnt. Sie haben nichts gezahlt und können es noch einmal versuchen.',
      busy: 'In Ihrer Wallet ist noch eine ältere Anfrage offen. Klicken Sie auf ihr Symbol, beantworten Sie die Anfrage und versuchen Sie es noch einmal.',
      locked:
        'Ihre Wallet ist gesperrt oder zeigt kein Konto. Entsperren Sie sie und versuchen Sie es noch einmal.',
      offline:
        'Ihre Wallet hat keine Verbindung zu ihrem Netzwerk. Prüfen Sie die Wallet und versuchen Sie es noch einmal.',
      'unknown-chain': `Ihre Wallet hat nicht gewechselt. Wählen Sie ${network} (Netzwerk ${networkId}) selbst in der Wallet und drücken Sie dann den Knopf noch einmal.`,
      'no-fee-funds': `Dieses Konto braucht etwas ${coin} für die Gebühr des Netzwerks. Sie haben nichts gezahlt.`,
      unsupported: 'Ihre Wallet kann das nicht. Wählen Sie eine andere.',
      failed:
        'Die Wallet meldet einen Fehler. Sehen Sie in der Wallet nach, ob sie eine Zahlung gesendet hat.',
      'no-funds': 'Auf diesem Konto ist nicht genug {currency}. Sie haben nichts gezahlt.',
      'wrong-account':
        'Diese Spende wartet auf eine Zahlung von {from}. Wählen Sie dieses Konto in Ihrer Wallet, oder beginnen Sie neu.',
      'perhaps-paid':
        'Ihre Wallet wurde schon einmal nach dieser Zahlung gefragt, und diese Seite kennt die Antwort nicht. Sehen Sie zuerst in Ihrer Wallet nach. Drücken Sie nur dann noch einmal, wenn sie nichts gesendet hat.',
      blocked:
        'Das Gesetz verbietet uns, an Zahlungen mit dieser Wallet mitzuwirken. Sie haben nichts gezahlt.',
      closed: 'Diese Kampagne nimmt seit eben keine Spenden mehr an. Sie haben nichts gezahlt.',
      'too-many':
        'Schon zu viele Spenden warten auf eine Zahlung dieser Wallet. Bezahlen oder stornieren Sie zuerst eine davon.',
      limited:
        'Aus Ihrem Netzwerk kamen zu viele Spenden. Versuchen Sie es in einigen Minuten noch einmal.',
      refused: 'Prüfen Sie Ihre Angaben. Sie haben nichts gezahlt.',
      unreachable:
        'Wir sind gerade nicht erreichbar. Sie haben nichts gezahlt. Versuchen Sie es in einer Minute noch einmal.',
    },
    walletSays: 'Mehr zu diesem Fehler',
  }),
  escrow: {
    before: ({ isFirst }) =>
      `Die nächste Seite nennt jede Anfrage Ihrer Wallet mit ihrer Gebühr, bevor die Wallet fragt. Sie zahlen die Gebühren des Netzwerks.${isFirst ? ' Der Vertrag ist noch nicht auf der Chain, das zahlen Sie also mit.' : ''} Fundproof nimmt nichts.`,
    next: 'Weiter: Was Ihre Wallet fragt',
    confirmHint:
      'Vergleichen Sie jede Anfrage Ihrer Wallet mit der Liste oben. Lehnen Sie ab, was abweicht.',
    rejected:
      'Sie haben in Ihrer Wallet abgelehnt. Sie haben nichts gespendet. Nur die Gebühren der Anfragen, die Sie vorher bestätigt haben, sind ausgegeben.',
    title: (count) => (count === 1 ? 'Ihre Wallet fragt einmal' : `Ihre Wallet fragt ${count}-mal`),
    lead: 'Lehnen Sie ab, was von dem abweicht, was Sie hier lesen. Bis Sie die letzte Anfrage bestätigen, haben Sie nichts gespendet.',
    of: ({ step, all }) => `Anfrage ${step} von ${all}`,
    kinds: {
      permission: {
        title: 'Eine Erlaubnis unterschreiben',
        what: 'Damit darf die Treuhand, und kein anderes Konto, diesen Betrag einmal nehmen.',
      },
      deploy: {
        title: 'Den Vertrag auf die Chain bringen',
        what: 'Er ist noch nicht auf der Chain, das zahlen Sie also mit. Die Bedingungen stehen schon fest.',
      },
      approve: {
        title: 'Den Betrag erlauben',
        what: 'Damit darf die Treuhand, und kein anderes Konto, diesen Betrag nehmen.',
      },
      give: {
        title: 'Spenden',
        what: 'Die Treuhand nimmt das Geld und trägt Sie als Spender ein. Scheitert die Kampagne, können Sie Ihren Anteil abholen, und kein Prüfer muss unterschreiben.',
      },
      batch: {
        title: 'Mit einer Anfrage spenden',
        what: 'Ihre Wallet sendet diese Aufrufe zusammen. Die Treuhand nimmt das Geld und trägt Sie als Spender ein.',
      },
    },
    moves: (amount) => `Bewegt ${amount}.`,
    movesNone: 'Bewegt kein Geld.',
    fee: 'Gebühr des Netzwerks:',
    noFee: 'Keine Gebühr.',
    shows: 'Ihre Wallet zeigt',
    kind: 'Art',
    signature: 'Anfrage einer Unterschrift',
    transaction: 'Transaktion',
    calls: 'Mehrere Aufrufe in einer Anfrage',
    action: 'Aktion',
    to: 'An',
    value: 'Wert',
    limit: 'Grenze',
    until: 'Gültig bis',
    parties: {
      escrow: 'die Treuhand',
      factory: 'die Fabrik der Treuhandverträge',
      token: 'der Token',
    },
    units: (amount) => `Das sind ${amount}, in den kleinsten Einheiten des Tokens.`,
    inside: (amount) => `Die ${amount} bewegen sich im Aufruf.`,
    costs: {
      title: 'Was es kostet',
      donation: 'Spende',
      network: 'Gebühren des Netzwerks, von Ihnen bezahlt',
      own: 'Gebühr von Fundproof',
      none: 'keine',
      note: 'Die Gebühren sind geschätzt. Ihre Wallet zeigt sie, bevor Sie bestätigen.',
    },
    gas: (gas) => `etwa ${gas} Gas`,
    about: (fee) => `etwa ${fee}`,
  },
  whoseTitle: 'Wenn eine andere Person meine Zahlung nennt',
  whose:
    'Eine Zahlung gehört der Person, die hier zuerst ihre Wallet oder ihren Hash genannt hat. Danach verschieben sie nur zwei Dinge: der Link eines Gastes oder eine Unterschrift der Wallet, die gezahlt hat.',
  how: {
    title: 'So zahlen Sie',
    send: ({ amount, network }) =>
      `Senden Sie genau ${amount} auf ${network}. Die Spende zählt, sobald ihre Zahlung endgültig ist.`,
    contested: ({ amount }) =>
      `Auch eine andere Spende wartet auf eine Zahlung von dieser Wallet. Senden Sie genau ${amount}, mit allen Ziffern. Zählt Ihre Zahlung für die andere Spende, melden Sie sich mit der zahlenden Wallet an und melden Sie die Zahlung unter „Ich habe schon gezahlt“.`,
    fromWallet: 'An dieser Wallet erkennen wir Ihre Zahlung.',
    fromNamed: 'Die Wallet, die beim Melden dieser Spende genannt wurde',
    token: 'Token',
    account: 'An das Konto',
    wallet: 'Von der Wallet',
    notSent: 'Noch nicht gesendet? So zahlen Sie',
    openPhone: 'In einer Wallet auf diesem Telefon öffnen',
    checkThere: ({ amount, account, network }) =>
      `Prüfen Sie dort: ${amount} an ${account} auf ${network}.`,
    openApp: (name) => `${name} öffnen`,
    scan: 'Mit einem anderen Gerät scannen',
    open: 'In einer Wallet auf diesem Gerät öffnen',
    check: ({ amount, account }) =>
      `Manche Wallets lesen Codes falsch. Prüfen Sie, ob Ihre Wallet ${amount} an ${account} anzeigt.`,
    codeLabel: ({ amount, account, network }) =>
      `Code für eine Zahlung von ${amount} an ${account} auf ${network}`,
    bareTitle: 'Meine Wallet versteht den Code nicht',
    bare: ({ amount, network }) =>
      `Dieser Code enthält nur das Konto. Wählen Sie in Ihrer Wallet ${network} und geben Sie ${amount} selbst ein.`,
    bareLabel: ({ account }) => `Code des Kontos ${account}`,
    panelTitle: 'Mit einer Wallet in diesem Browser zahlen',
    hashTitle: 'Ich habe die Zahlung gesendet',
    hashHint:
      'Nur nötig, wenn Sie aus einer anderen Wallet gezahlt haben oder die Zahlung hier nicht von selbst erscheint.',
    hash: 'Hash der Transaktion',
    hashButton: 'Hash speichern',
    cancel: 'Diese Spende stornieren',
    cancelHint: 'Nur, wenn Sie nicht gezahlt haben.',
  },
  offered: {
    found: 'Wir haben diese Zahlung gefunden.',
    from: ({ money, sender, block }) => `${money} kamen von ${sender}, in Block ${block}.`,
    named: (wallet) => `Sie hatten ${wallet} genannt.`,
    second: (money) => `Eine zweite Zahlung von ${money} ist nicht zugeordnet.`,
    sameWallet: (block) =>
      `Sie kam von derselben Wallet, in Block ${block}. Die Kampagne hat das Geld, aber es zählt noch nicht als Spende.`,
    onlyYours:
      'Tun Sie das nur, wenn Sie sie gesendet haben: Eine Börse zahlt für viele Menschen aus einer Wallet.',
    take: 'Zu dieser Spende machen',
    add: 'Als meine Spende hinzufügen',
    see: 'Zahlung ansehen',
  },
  paid: {
    title: (campaign) => `Schon für ${campaign} gezahlt?`,
    lead: 'Nennen Sie uns die Transaktion, dann wird sie zu Ihrer Spende.',
    transaction: 'Transaktion',
    transactionHint: 'Ihr Hash oder ihre Adresse in einem Block-Explorer.',
    notInBlockHint: 'Nur nötig, wenn noch kein Block die Zahlung enthält.',
    wallet: 'Wallet, die gezahlt hat',
    button: 'Zahlung suchen',
    seeDonation: 'Diese Spende ansehen',
    claimLink: 'Mit der zahlenden Wallet anmelden',
  },
}
