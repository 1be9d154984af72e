import type { DonationTexts } from './en.ts'

export const de: DonationTexts = {
  title: (money, campaign) => `${money} für ${campaign}`,
  state: 'Stand der Spende',
  done: {
    onItsWay: 'Unterwegs',
    credited: 'Gutgeschrieben',
    proven: 'Bewiesen',
    refunded: 'ZURÜCKGEZAHLT',
    partly: (back, all) => `TEILWEISE ZURÜCKGEZAHLT, ${back} von ${all}`,
  },
  way: 'Wie sie ankam',
  wayLength: (steps, time) => `${steps} Schritte, ${time}`,
  share: 'Teilen',
  shared: 'Der Link ist kopiert.',
  steps: {
    promised: 'Zugesagt',
    sent: 'Gesendet',
    in_block: 'In einem Block',
    credited: 'Endgültig und gutgeschrieben',
    sealed: 'Versiegelt',
    proven: 'Bewiesen',
  },
  marks: { done: 'erledigt', now: 'jetzt', next: 'später', bad: 'nicht geschehen' },

  confirming: (block, minutes) => {
    if (minutes === null) {
      return `In Block ${block}, der noch nicht endgültig ist. Sie können diese Seite schließen.`
    }
    const time = minutes === 1 ? 'einer Minute' : `${minutes} Minuten`
    return `In Block ${block}. Endgültig in etwa ${time}; Sie können diese Seite schließen.`
  },
  confirmations: (count, required) => `${count} von ${required} Blöcken`,
  credited: (money) => `${money} sind der Kampagne gutgeschrieben. Vielen Dank.`,
  proven: 'Den Beweis können Sie unten prüfen, ohne uns zu vertrauen.',
  sealing: 'Das Hauptbuch wird gerade versiegelt. Der Beweis ist in wenigen Sekunden fertig.',
  worthless:
    'Die Zahlung ist weniger wert als die kleinste Einheit der Währung der Kampagne. Sie zählt nichts und hat keinen Beweis.',
  paidBack: (money) => `Der Treuhandvertrag hat ${money} zurückgezahlt, also die ganze Spende.`,
  partlyPaidBack: (money) => `Der Treuhandvertrag hat ${money} von dieser Spende zurückgezahlt.`,
  paidElsewhere: (money, account) =>
    `Der Treuhandvertrag hat ${money} von dieser Spende an ${account} gezahlt, wie seine Prüfer unterschrieben haben.`,
  nextLook: (time) => `Nächste Prüfung: ${time}`,
  closed: 'Bitte nicht mehr zahlen: Die Kampagne nimmt keine Spenden mehr an.',
  unrecorded:
    'Zahlen Sie nicht: Der Treuhandvertrag würde diese Zahlung nicht eintragen, und Prüfer müssten ihre Rückgabe unterschreiben.',
  reasons: {
    waiting_for_transaction: {
      why: 'Noch kein Block enthält die Transaktion.',
      next: 'Ein paar Minuten sind normal. Dauert es länger, beschleunigen Sie sie in Ihrer Wallet: Diese Seite folgt der neuen Transaktion von selbst. Sie können die Seite schließen.',
    },
    waiting_for_payment: {
      why: 'Die Zahlung ist noch nicht angekommen.',
      next: 'Zahlen Sie wie unten beschrieben. Sie können diese Seite schließen: Eine Zahlung zählt, wann immer sie kommt, solange die Kampagne Spenden annimmt.',
    },
    node_unavailable: {
      why: 'Die Knoten, die wir fragen, antworten gerade nicht.',
      next: 'Es geht nichts verloren. Sobald sie antworten, geht es mit der Spende weiter.',
    },
    node_disbelieved: {
      why: 'Die Antworten der Knoten sind nicht stimmig, deshalb zählen wir sie nicht.',
      next: 'Es geht nichts verloren. Wir fragen weiter, bis sich eine Antwort beweisen lässt.',
    },
    waiting_for_finality_proof: {
      why: 'Die Knoten nennen den Block endgültig, aber uns fehlen noch die Unterschriften der Validatoren, die das beweisen.',
      next: 'Es geht nichts verloren. Sobald wir diesen Beweis haben, meist nach wenigen Minuten, geht es mit der Spende weiter.',
    },
    internal_payment_unproven: {
      why: 'Ein Vertrag hat gezahlt, und die Chain beweist noch nicht, wie viel angekommen ist.',
      next: 'Wir suchen weiter nach einem Beweis. Dauert es länger als einen Tag, fragen Sie den Betreiber und nennen Sie diese Spende.',
    },
    replacement_not_found: {
      why: 'Eine andere Transaktion derselben Wallet ist an die Stelle dieser getreten, und wir kennen sie nicht.',
      next: 'Wenn Sie die Transaktion beschleunigt haben, suchen Sie den neuen Hash in Ihrer Wallet und melden Sie ihn unter „Ich habe schon gezahlt“.',
    },
    price_unavailable: {
      why: 'Die Zahlung ist endgültig, aber es gibt noch keinen Kurs, um sie umzurechnen.',
      next: 'Das Geld liegt sicher auf dem Konto der Kampagne. Es wird gutgeschrieben, sobald es einen Kurs gibt.',
    },
    price_stale: {
      why: 'Die Zahlung ist endgültig, aber der Kurs bei ihrem Block ist zu alt, um zu zählen.',
      next: 'Das Geld liegt sicher auf dem Konto der Kampagne. Wir fragen immer wieder nach einem besseren Kurs.',
    },
    sequencer_down: {
      why: 'Die Zahlung ist endgültig, aber die Chain war gerade ausgefallen, deshalb zählen ihre Kurse noch nicht.',
      next: 'Das Geld liegt sicher auf dem Konto der Kampagne. Wir fragen immer wieder nach dem Kurs.',
    },
    transaction_reverted: {
      why: 'Die Transaktion ist auf der Chain gescheitert, es ist also kein Geld geflossen.',
      next: 'Nur die Gebühr ist weg. Sie können noch einmal spenden.',
    },
    wrong_recipient: {
      why: 'Die Transaktion hat an ein anderes Konto gezahlt als an das dieser Kampagne.',
      next: 'Sehen Sie in Ihrer Wallet nach, wohin das Geld ging. Wir können es nicht zurückholen.',
    },
    unknown_token: {
      why: 'Die Transaktion hat in einem Token gezahlt, den diese Kampagne nicht annimmt.',
      next: 'Der Token liegt auf dem Konto der Kampagne, zählt aber nicht. Bitten Sie den Ersteller oder die Prüfer einer Treuhand, ihn zurückzusenden.',
    },
    no_such_transfer: {
      why: 'Die Transaktion enthält keine solche Zahlung an diese Kampagne.',
      next: 'Vergleichen Sie den Hash mit Ihrer Wallet. War es ein anderer, melden Sie die Spende noch einmal.',
    },
    ledger_address_mismatch: {
      why: 'Die Transaktion hat keine Zahlung von oder an die genannte Adresse.',
      next: 'Melden Sie die Spende noch einmal, mit der Wallet, die gezahlt hat.',
    },
    transfer_before_campaign: {
      why: 'Die Zahlung ist älter als die Kampagne.',
      next: 'Sie kann nicht zählen. Fragen Sie den Ersteller oder die Prüfer einer Treuhand: Das Geld liegt auf dem Konto der Kampagne.',
    },
    transfer_already_claimed: {
      why: 'Diese Zahlung gehört schon zu einer anderen Spende.',
      next: 'Wenn Sie gezahlt haben, melden Sie sich mit der zahlenden Wallet an und melden Sie die Zahlung noch einmal unter „Ich habe schon gezahlt“: Dann wird es Ihre Spende.',
    },
    block_unsupported: {
      why: 'Die Zahlung ist in einem Block, den dieser Dienst nicht beweisen kann.',
      next: 'Fragen Sie den Betreiber, und nennen Sie diese Spende.',
    },
    returned_in_transaction: {
      why: 'Das Geld hat das Konto der Kampagne in derselben Transaktion wieder verlassen.',
      next: 'Es ist nichts übrig, das zählen könnte. Sie können noch einmal spenden.',
    },
    transaction_replaced: {
      why: 'Ihre Wallet hat die Transaktion durch eine andere ersetzt, die nicht an diese Kampagne zahlt.',
      next: 'Die Kampagne hat daraus kein Geld bekommen. Sie können noch einmal spenden.',
    },
    moved_to_wallet_owner: {
      why: 'Die Zahlung gilt nun als Spende des Inhabers der Wallet, die gezahlt hat.',
      next: 'Wenn es Ihre Wallet ist, melden Sie sich mit ihr an, um die Spende zu sehen.',
    },
    cancelled: {
      why: 'Die Zusage wurde storniert, bevor eine Zahlung kam.',
      next: 'Wenn Sie doch gezahlt haben, melden Sie die Zahlung unter „Ich habe schon gezahlt“.',
    },
    asset_not_escrowed: {
      why: 'Der Treuhandvertrag dieser Kampagne verwahrt eine andere Währung als die gezahlte.',
      next: 'Die Zahlung zählt nicht. Wenn die Kampagne vorbei ist, können ihre Prüfer sie zurückgeben.',
    },
    campaign_failed: {
      why: 'Der Treuhandvertrag der Kampagne war schon vor dieser Zahlung gescheitert.',
      next: 'Die Zahlung zählt nicht. Prüfer der Kampagne müssen ihre Rückgabe unterschreiben.',
    },
    never_seen: {
      why: 'In der ganzen Zeit, die wir gewartet haben, hat kein Knoten die Transaktion gezeigt.',
      next: 'Kommt sie später in einen Block, geht es mit der Spende von selbst weiter. Ihre Wallet zeigt, was aus ihr geworden ist.',
    },
    payment_not_received: {
      why: 'Es ist keine Zahlung rechtzeitig angekommen.',
      next: 'Eine späte Zahlung zählt noch: Mit ihr lebt diese Spende wieder auf.',
    },
    another_intent_paid: {
      why: 'Sie hatten dasselbe zweimal zugesagt, und die Zahlung ging an die andere Zusage.',
      next: 'Es ist nichts mehr zu tun. Das Geld steht bei der anderen Spende.',
    },
    reorganised: {
      why: 'Die Chain hat den Block mit dieser Zahlung ersetzt, deshalb wurde die Gutschrift zurückgenommen.',
      next: 'Sie wird wieder gutgeschrieben, wenn die Zahlung in die Chain zurückkommt. Ihre Wallet zeigt, ob das Geld abgegangen ist.',
    },
  },

  named: {
    none: {
      why: 'Gesendet. Wartet auf einen Block.',
      next: 'Einige Minuten sind normal, und diese Seite ändert sich von selbst. Dauert es länger, kennen wir in der Transaktion keine Zahlung an diese Kampagne: Vergleichen Sie den Hash mit dem in Ihrer Wallet.',
    },
    found: {
      why: 'Ein Block enthält die genannte Zahlung, aber sie gehört noch nicht zu dieser Spende.',
      next: 'Nur wer diese Spende gibt, kann sie auf dieser Seite zu dieser Spende machen.',
    },
    show: 'Zahlung zeigen',
  },

  notes: {
    under: (declared, arrived) =>
      `${arrived} sind angekommen, weniger als die zugesagten ${declared}. Es zählt, was ankam.`,
    over: (declared, arrived) =>
      `${arrived} sind angekommen, mehr als die zugesagten ${declared}. Alles zählt.`,
    other_asset: (declared, arrived) =>
      `${arrived} sind statt ${declared} angekommen. Es zählt der Kurs beim Block der Zahlung.`,
    late: 'Die Zahlung kam spät. Sie zählt trotzdem.',
    discrepancy: (declared, arrived) =>
      `${declared} waren angekündigt, und ${arrived} sind angekommen. Es zählt, was ankam.`,
    replaced: 'Ihre Wallet hat die Transaktion ersetzt, und diese Spende ist der neuen gefolgt.',
    onChain:
      'Der Treuhandvertrag hat den Spender eingetragen, die Rückzahlung braucht also keine Prüfer.',
    byVerifiers:
      'Der Treuhandvertrag hat den Spender nicht eingetragen, die Rückzahlung müssen also die Prüfer unterschreiben.',
  },

  facts: {
    title: 'Einzelheiten',
    promised: 'Zugesagt',
    arrived: 'Angekommen',
    counts: 'Zählt für die Kampagne',
    refund: 'Falls die Kampagne scheitert',
    counted: (money) => `Zählt als ${money}`,
    donor: 'Spender',
    rate: ({ one, price, isFixed }) =>
      `${one} = ${price}, ${isFixed ? 'Kurs dieses Dienstes' : 'Kurs von Chainlink beim Block'}`,
    countsNow: 'Zählt jetzt',
    worth: 'Wert zur Zeit des Blocks',
    anonymous: 'Anonym',
    hidden: 'Das sehen nur Sie und der Ersteller.',
    account: 'Konto der Kampagne',
    firstTransaction: 'Erste Transaktion',
    replacedBy: 'Ersetzt durch',
    entries: 'Einträge des Hauptbuchs',
    seal: (number, time) => `Siegel ${number}, ${time}`,
    sealKey: 'Schlüssel des Siegels',
    sealHead: 'Kopf des Hauptbuchs',
    recorded: 'Gemeldet',
    number: 'Nummer der Spende',
  },

  refund: {
    title: 'Ihre Rückzahlung',
    collect: (money) => `Die Treuhand gibt Geld zurück: Holen Sie ${money} ab`,
    states: { unsigned: 'Braucht Unterschriften', ready: 'Kann gesendet werden' },
    ready:
      'Der Treuhandvertrag gibt Ihr Geld zurück. Jedes Konto darf die Transaktion senden und zahlt nur die Gebühr des Netzwerks.',
    unsigned: (signatures) =>
      `Der Vertrag hat diese Zahlung nicht eingetragen, deshalb müssen Prüfer ihre Rückgabe unterschreiben. Nötige Unterschriften: ${signatures}. Zeigen Sie den Prüfern, dass das zahlende Konto Ihnen gehört.`,
    sent: 'Ihre Rückzahlung ist in einem Block, der noch nicht endgültig ist. Diese Seite zeigt es, sobald er endgültig ist.',
    done: 'Der Treuhandvertrag hat Ihre Rückzahlung ausgezahlt.',
    elsewhere:
      'Prüfer haben unterschrieben, dass der Treuhandvertrag dies an ein anderes Konto zahlt als an den Absender, den wir kennen.',
    to: 'Das Geld geht an',
    show: 'Transaktion anzeigen',
    posted: 'Gesendet. Diese Seite zeigt Ihre Rückzahlung, sobald sie in einem Block ist.',
  },

  guest: {
    title: 'Sie haben ohne Konto gespendet',
    keep: 'Heben Sie die Adresse dieser Seite auf, um Ihre Spende wiederzufinden. Oder nehmen Sie die Spende in ein Konto: per E-Mail oder mit der Wallet, die gezahlt hat.',
    signIn: 'Dafür anmelden',
    claim: 'In mein Konto übernehmen',
  },

  check: {
    title: 'Prüfen Sie es selbst',
    lead: 'Ihr Browser rechnet den Beweis nach. Den Block erfragt er bei Ihrer Wallet, nicht bei uns.',
    download: 'Beweis herunterladen',
    keep: 'Heben Sie den Beweis auf: Er lässt sich ohne diese Website prüfen, auch in vielen Jahren.',
  },

  receipt: {
    title: 'Quittung',
    print: 'Drucken oder als PDF sichern',
    notYet: 'Noch nicht endgültig',
    notYetText:
      'Das ist keine Quittung. Die Zahlung ist in einem Block, den die Chain noch zurücknehmen kann.',
    none: 'Es gibt keine Quittung.',
    noneText:
      'Eine Spende hat eine Quittung, sobald ihre Zahlung endgültig und gutgeschrieben ist.',
    number: 'Quittung',
    second: (time) => `Fassung 2, ersetzt Fassung 1 vom ${time}`,
    issuedBy: (name) => `Ausgestellt von: ${name}`,
    operatorOf: (host) => `Betreiber von ${host}`,
    noGift: 'Das ist keine Quittung über eine Gabe: Alles wurde zurückgezahlt.',
    noPrice: 'Kein Kurs bei diesem Block',
    paidTo: 'Gezahlt an',
    escrowOf: (campaign) => `Treuhandvertrag von ${campaign}`,
    isProven: 'Dieses Konto hat durch seine Unterschrift bewiesen, dass es zur Kampagne gehört.',
    unchecked: 'Name nicht geprüft',
    givenBy: 'Gegeben von',
    asWritten: 'wie angegeben',
    purpose: 'Für',
    direct: 'Direkt an den Empfänger, ohne Treuhandvertrag',
    held: 'Von einem Vertrag gehalten, bis Prüfer es freigeben',
    paidAt: 'Gezahlt (Zeit des Blocks)',
    paidBack: 'Zurückgezahlt',
    ofAll: (back, all) => `${back} von ${all}`,
    fingerprint: 'Fingerabdruck des Beweises (SHA-256)',
    noProof:
      'Der Beweis ist noch nicht fertig. Er ist es Sekunden nach der Gutschrift: Laden Sie diese Seite neu.',
    how: 'Wie Sie diese Quittung prüfen, ohne uns zu vertrauen',
    open: 'Scannen Sie den Code, oder öffnen Sie {address}. Die Seite zeigt die Spende, wie sie heute ist.',
    compare:
      'Laden Sie dort den Beweis herunter. Der SHA-256 der Datei muss der Fingerabdruck oben sein.',
    compareBack: 'Der Beweis gilt der Einzahlung; die Rückzahlung zeigt die Chain.',
    check:
      'Drücken Sie „Diesen Beweis prüfen“: Ihr Browser rechnet ihn nach, und Ihre Wallet nennt den Block. Oder nehmen Sie das offene Programm und einen eigenen Knoten: {command}',
    statementBack: (money) =>
      `Dieser Dienst hat das Geld nie verwahrt. Mit dieser Quittung sagt er, dass die Spende gutgeschrieben war und dass der Treuhandvertrag ${money} zurückgezahlt hat. Verwenden Sie Fassung 1 dieser Quittung nicht mehr.`,
    creditedAt: 'Gutgeschrieben',
    of: 'Quittung über eine Spende',
    statement:
      'Das Geld ging direkt auf das Konto der Kampagne. Dieser Dienst hat es nie verwahrt. Mit dieser Quittung sagt er, dass die Zahlung auf der Chain endgültig und im Hauptbuch gutgeschrieben ist.',
    issued: (time) => `Ausgestellt am ${time}`,
    back: 'Zurück zur Spende',
  },
}
