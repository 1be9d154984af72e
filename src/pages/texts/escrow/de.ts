import type { EscrowTexts } from './en.ts'

export const de: EscrowTexts = {
  title: 'Treuhand',
  intro:
    'Ein Vertrag auf der Chain verwahrt das Geld dieser Kampagne. Er zahlt eine Etappe aus, wenn Prüfer sie unterschrieben haben, und wenn die Kampagne scheitert, können die Spender das Geld abholen. Fundproof hat keinen Schlüssel dazu. Der Vertrag ist nicht unabhängig geprüft: Geben Sie nicht mehr, als Sie verlieren können.',
  states: {
    funding: {
      title: 'Die Treuhand sammelt Geld.',
      text: 'Vor dem Erreichen des Ziels wird nichts freigegeben. Wird es nicht rechtzeitig erreicht, können die Spender alles abholen.',
    },
    active: {
      title: 'Das Ziel ist erreicht.',
      text: 'Prüfer entscheiden nun über jede Etappe. Was nicht rechtzeitig freigegeben ist, können die Spender abholen.',
    },
    done: {
      title: 'Alle Etappen sind freigegeben.',
      text: 'Die Arbeit der Treuhand ist getan.',
    },
  },
  reasons: {
    surplus: 'Alle Etappen sind freigegeben, und die Spender teilen sich den Rest.',
    target_missed: 'Das Ziel wurde nicht rechtzeitig erreicht.',
    expired: 'Die Zeit für Freigaben ist vorbei.',
    cancelled: 'Der Ersteller hat die Kampagne abgebrochen.',
    terminated: 'Die Prüfer haben die Kampagne beendet.',
  },

  audit: 'Nicht unabhängig geprüft: Geben Sie nicht mehr, als Sie verlieren können.',
  straight:
    'Der Ersteller hat das Geld sofort und behält es auch unter dem Ziel. Keine Rückzahlung.',
  money: {
    title: 'Wo das Geld ist',
    refundable: 'Jetzt rückzahlbar',
    sum: ({ parts, total }) => `${parts} = ${total}, alles, was eingegangen ist.`,
    unassigned: (money) => `${money} davon gehören zu keiner gutgeschriebenen Spende.`,
    releasedNone: 'Keine Etappe ist freigegeben.',
    releasedSome: ({ paid, all }) => `Freigegebene Etappen: ${paid} von ${all}.`,
    lockedNone: 'Im Vertrag ist nichts mehr.',
    lockedFunding: 'Der Vertrag gibt nichts frei, bevor das Ziel erreicht ist.',
    lockedFor: (money) => `${money} sind für Etappen, die noch nicht freigegeben sind.`,
    lockedAbove: {
      recipient: (money) =>
        `${money} über den Etappen gehen nach der letzten Etappe an den Empfänger.`,
      donors: (money) =>
        `${money} über den Etappen gehen nach der letzten Etappe an die Spender zurück.`,
    },
    ifMissed: (day) => `Ist das Ziel bis ${day} nicht erreicht, können die Spender alles abholen.`,
    ifUnpaid: (day) => `Was bis ${day} nicht freigegeben ist, können die Spender abholen.`,
    collect:
      'Für jede Rückzahlung sendet eine Person eine Transaktion und zahlt die Gebühr des Netzwerks. Einfache Überweisungen brauchen auch Unterschriften von Prüfern.',
    due: 'Die Zeit ist vorbei: Jede Person kann die Rückzahlungen jetzt öffnen.',
    owedNone: 'Den Spendern steht nichts zu.',
    collectable: (money) => `${money} können jetzt abgeholt werden.`,
    unsigned: (money) =>
      `${money} kamen durch einfache Überweisung und brauchen zuerst Unterschriften von Prüfern.`,
    dust: 'Ein Rest vom Runden. Kein Spender kann ihn bekommen.',
    backNone: 'Noch nichts ist zurückgezahlt.',
    backSome: 'Es ging an Spender, oder an Konten, für die Prüfer unterschrieben haben.',
  },
  ended: {
    waiting: {
      title: 'Holen Sie Ihren Anteil zurück.',
      text: ({ owed, back }) =>
        `${owed} ${back} sind zurückgezahlt. Öffnen Sie Ihre Spende, um zu sehen, wie Sie Ihren Anteil bekommen. Bitte geben Sie nichts mehr.`,
      find: 'Ich habe ohne diese Website gegeben: Rückzahlung suchen',
    },
    everything: 'Es ist nichts mehr zurückzuzahlen.',
    paid: ({ back, total }) =>
      `Die Treuhand hat ${back} von ${total} zurückgezahlt. Bitte geben Sie nichts mehr.`,
    empty: {
      title: 'Die Kampagne endete, bevor Geld eingegangen ist.',
      text: 'Es gibt nichts zurückzuzahlen. Bitte senden Sie kein Geld.',
    },
  },

  terms: 'Bedingungen',
  termsNote:
    'Die Adresse des Vertrags ist aus diesen Bedingungen berechnet, deshalb kann sie kein Mensch ändern.',
  contract: 'Vertrag',
  notDeployed:
    'Er ist noch nicht auf der Chain. Er kann schon Geld empfangen, denn die Bedingungen stehen fest.',
  recipient: 'Empfänger',
  recipientNote:
    'Das einzige Konto, an das Etappen gezahlt werden. Nur es kann die Kampagne abbrechen.',
  token: 'Token',
  deadline: 'Spenden bis',
  deadlineNote:
    'Spenden enden auch mit der ersten Freigabe. Zahlen Sie nicht später: Der Vertrag trägt dann keine Spender mehr ein, und Prüfer müssen die Rückgabe unterschreiben.',
  activateBy: 'Ziel erreicht bis',
  activateByNote: 'Wenn der Vertrag bis dahin nicht aktiviert ist, gibt er das Geld zurück.',
  expiry: 'Freigaben bis',
  expiryNote: 'Was danach übrig ist, können die Spender abholen.',
  verifiers: 'Prüfer',
  verifiersNote:
    'Jeder Prüfer allein kann jede Etappe aufhalten, bis die Zeit für Freigaben endet. Dann können die Spender das Geld abholen.',
  quorum: 'Nötige Prüfer für ein vorzeitiges Ende oder für Rückgaben',
  quorumOf: (quorum, verifiers) => `${quorum} von ${verifiers}`,
  surplus: 'Übriges Geld',
  surplusTo: { recipient: 'geht an den Empfänger', donors: 'geht an die Spender zurück' },
  codeProven: 'Code bewiesen seit',
  codeNotProven: 'noch nicht bewiesen',

  oneVerifier: (money) =>
    `Ein Prüfer allein kann ${money} freigeben, mit einer Unterschrift für jede Etappe.`,
  alsoLeft: 'Danach bekommt der Empfänger auch, was übrig ist.',
  milestone: 'Etappe',
  signatures: 'Nötige Unterschriften',

  refunds: 'Rückzahlungen',
  assetReturns:
    'Überweisungen in einer anderen Währung gehen zurück, wenn genug Prüfer die Rückgabe unterschrieben haben.',
  search: {
    lead: 'Haben Sie ohne diese Website an den Vertrag gezahlt? Dann suchen Sie mit dem Konto, das gezahlt hat.',
    account: 'Adresse des Kontos, das gezahlt hat',
    find: 'Meine Rückzahlung suchen',
    none: 'Wir kennen keine Rückzahlung für dieses Konto.',
    roads: { on_chain: 'Eingetragene Spenden', by_verifiers: 'Einfache Überweisung' },
  },

  transactions: 'Transaktionen, die jetzt möglich sind',
  transactionsIntro:
    'Wer sie sendet, zahlt nur die Gebühr des Netzwerks. Das Geld geht an den Empfänger oder an die Konten der Rückzahlungen.',
  noTransactions: 'Zurzeit ist keine Transaktion möglich.',
  actions: {
    deploy: {
      title: 'Den Vertrag auf die Chain bringen',
      text: 'Jedes Konto darf sie senden. An den Bedingungen ändert sie nichts.',
    },
    activate: {
      title: 'Die Treuhand aktivieren',
      text: 'Nötig, wenn der letzte Teil des Ziels als einfache Überweisung kam. Jedes Konto darf sie senden.',
    },
    close: {
      title: 'Rückzahlungen öffnen',
      text: 'Nach dieser Transaktion bekommen die Spender, was übrig ist. Jedes Konto darf sie senden.',
    },
    cancel: {
      title: 'Die Kampagne abbrechen',
      text: 'Nur der Empfänger darf sie senden. Die Spender bekommen, was übrig ist. Das lässt sich nicht zurücknehmen.',
    },
    releaseSurplus: {
      title: 'Den Rest an den Empfänger zahlen',
      text: 'Alle Etappen sind freigegeben. Jedes Konto darf sie senden.',
    },
    release: {
      title: 'Freigabe',
      text: 'Prüfer haben diese Etappe unterschrieben. Das Geld geht an den Empfänger. Jedes Konto darf sie senden.',
    },
  },

  transaction: {
    data: 'Daten der Transaktion',
    chain: 'Netzwerk',
    to: 'An',
    payload: 'Daten',
    value: 'Wert',
    from: 'Von',
    validUntil: 'Gültig bis',
    call: (number) => `Transaktion ${number}`,
    works: 'Ein Knoten hat sie probiert: Sie funktioniert jetzt. Gebühr des Netzwerks: {fee}.',
    fails: 'Ein Knoten hat sie probiert: Sie würde jetzt scheitern.',
    untried: 'Kein Knoten konnte sie jetzt probieren.',
  },
  send: {
    send: 'Mit meiner Wallet senden',
    choose: 'Welche Wallet soll sie senden?',
    browserWallet: 'Browser-Wallet',
    working:
      'Bestätigen Sie in Ihrer Wallet. Wenn Sie nichts sehen, klicken Sie auf das Symbol der Wallet.',
    sent: 'Gesendet. Wenn der Block endgültig ist, ändern sich die Beträge oben von selbst.',
    again: 'Noch einmal versuchen',
    problems: {
      rejected: 'Sie haben in Ihrer Wallet abgelehnt. Es wurde nichts gesendet.',
      busy: 'In Ihrer Wallet ist noch eine Anfrage offen. Klicken Sie auf ihr Symbol, beantworten Sie die Anfrage und versuchen Sie es noch einmal.',
      locked:
        'Ihre Wallet ist gesperrt oder zeigt kein Konto. Entsperren Sie sie und versuchen Sie es noch einmal.',
      offline: 'Ihre Wallet ist nicht mit ihrem Netzwerk verbunden. Versuchen Sie es noch einmal.',
      'unknown-chain':
        'Ihre Wallet nutzt ein anderes Netzwerk. Wählen Sie dort das richtige und versuchen Sie es noch einmal.',
      'no-fee-funds': 'In Ihrer Wallet ist zu wenig für die Gebühr des Netzwerks.',
      unsupported: 'Ihre Wallet kann das nicht.',
      failed:
        'Die Wallet konnte sie nicht senden. Es wurde nichts gesendet, oder die Transaktion ist gescheitert.',
      'no-wallet':
        'In diesem Browser ist keine Wallet. Öffnen Sie diese Seite im Browser einer Wallet-App, oder senden Sie die Daten der Transaktion auf anderem Weg.',
      'wrong-account':
        'In Ihrer Wallet ist ein anderes Konto gewählt. Nur das Konto unter „Von“ darf das senden.',
    },
  },
}
