import type { CheckPageTexts } from './en.ts'

export const de: CheckPageTexts = {
  title: 'Einen Beweis prüfen',
  lead: 'Ihr Browser rechnet den Beweis nach. Die Datei bleibt auf Ihrem Computer, und der Block kommt aus Ihrer Wallet oder einem Explorer, nie von uns.',
  alone: {
    title: 'Ohne diese Website',
    text: 'Diese Seite kommt von dem Dienst, um dessen Beweis es geht. Es geht auch ohne sie: Das Programm ist offen und braucht nur den Beweis, die Schlüssel und einen Knoten Ihrer Wahl.',
    keys: 'Die Schlüssel dieses Dienstes',
  },
  island: {
    start: 'Diesen Beweis prüfen',
    again: 'Noch einmal prüfen',
    reading: 'Der Beweis wird gelesen …',
    asking: '{names} wird nach Block {block} gefragt …',
    notReady:
      'Der Beweis ist noch nicht fertig. Er ist es wenige Sekunden nach der Gutschrift. Diese Seite fragt von selbst wieder.',
    noAnswer:
      'Der Beweis konnte nicht geladen werden. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
    noJavaScript:
      'Die Prüfung im Browser braucht JavaScript. Ohne JavaScript können Sie den Beweis herunterladen und mit dem Programm prüfen.',
    verdicts: {
      proven: 'Die Spende ist bewiesen. Jeder Schritt stimmt.',
      needs_hash:
        'Alles stimmt, nur eines ist offen: welchen Hash Block {block} hat. Nehmen Sie ihn aus Ihrer Wallet oder einem Explorer, nicht von uns.',
      other_block:
        'Laut {source} hat Block {block} einen anderen Hash: {hash}. Entweder hat die Chain den Block ersetzt, oder der Beweis ist falsch.',
      unknown_key:
        'Die Zahlung auf der Chain ist bewiesen. Die Gutschrift ist es nicht: Ihr Schlüssel ist kein Schlüssel dieser Website. Eine Schlüsseldatei beweist sie nur, wenn Sie selbst wissen, dass der Schlüssel dem Dienst gehört.',
      other_key:
        'Diesen Beweis hat ein Schlüssel unterschrieben, der nicht in Ihrer Datei steht. Vertrauen Sie ihm nicht.',
      lower_level:
        'Alles stimmt, aber die Chain beweist hier weniger als die Transaktion selbst. Sie entscheiden, ob das reicht.',
      other_donation: 'Das ist der Beweis einer anderen Spende als der auf dieser Seite.',
      other_history:
        'Ihre Datei nennt für dasselbe Siegel einen anderen Kopf. Der Dienst hat sein Hauptbuch geändert, nachdem Sie die Datei aufgehoben haben.',
      no_signatures:
        'Dieser Browser kann die Unterschrift nicht prüfen. Nehmen Sie einen aktuellen Browser und eine Adresse mit https, oder das Programm.',
      not_a_proof: 'Das ist kein Beweis, den diese Seite lesen kann.',
      failed: 'Die Spende ist NICHT bewiesen. Sehen Sie die Schritte an, die nicht stimmen.',
    },
    stepsTitle: 'Schritte',
    steps: {
      format: 'Die Datei ist ein vollständiger Beweis',
      header: 'Der Blockkopf gehört zum Block',
      chain: 'Der Block ist Teil der Chain',
      receipt: 'Der Transaktionsbeleg ist im Block, und die Zahlung war erfolgreich',
      transaction: 'Die Transaktion ist im Block',
      escrow: 'Das Konto ist der Treuhandvertrag mit diesen Bedingungen',
      payment: 'Betrag, Währung, Absender und Empfänger stimmen',
      balance: 'Der Kontostand ist um den Betrag gestiegen',
      level: 'Die Chain beweist so viel, wie Sie verlangen',
      entries: 'Das Hauptbuch schreibt die Zahlung genau einmal gut',
      inclusion: 'Die Einträge sind versiegelt',
      head: 'Der Kopf des Hauptbuchs folgt aus dem Siegel',
      signature: 'Der Dienst hat den Kopf unterschrieben',
      page: 'Es ist die Spende auf dieser Seite',
      kept: 'Ihre aufgehobene Datei stimmt damit überein',
    },
    holds: 'stimmt',
    fails: 'stimmt nicht',
    unchecked: 'nicht geprüft',
    wordsTitle: 'Wem Sie noch glauben müssen',
    words: {
      source: '{names}: dass Block {block} von {chain} diesen Hash hat',
      no_source: 'noch keiner Quelle: dass Block {block} von {chain} diesen Hash hat',
      own_key: 'sich selbst: dass Ihre aufgehobene Datei den Schlüssel des Dienstes nennt',
      site_key:
        'dieser Website: dass der Schlüssel ihr eigener ist, solange Sie ihn mit keiner Datei vergleichen',
      unknown_key: 'noch keiner Quelle: dass der Schlüssel zum Dienst gehört',
      reversal: 'dem Dienst: dass er die Gutschrift seitdem nicht zurückgenommen hat',
      price: 'dem Dienst: den Kurs, zu dem er die Zahlung zählt',
      receipt: 'dem Dienst: welche Transaktion zum Transaktionsbeleg gehört',
      balance: 'dem Dienst: welche Transaktion den Kontostand erhöht hat',
    },
    signedBy: 'Unterschrieben mit dem Schlüssel {key}',
    compare: 'Mit einer aufgehobenen Datei vergleichen',
    compareHint:
      'Eine Schlüsseldatei oder ein Kopf des Hauptbuchs von einem früheren Tag. Die Datei bleibt bei Ihnen.',
    comparedWith: 'Verglichen mit {file}',
    unknownFile: 'In dieser Datei steht weder ein Schlüssel noch ein Kopf des Hauptbuchs.',
    problems: {
      other_chain: '{name} nutzt ein anderes Netzwerk als {chain}.',
      no_block: '{name} kennt diesen Block nicht.',
      no_answer: '{name} hat nicht geantwortet.',
    },
    noWallet: 'In diesem Browser ist keine Wallet.',
    switchTo: '{name} auf {chain} umstellen',
    unnamedWallet: 'Browser-Wallet',
    hashLabel: 'Hash von Block {block}',
    hashHint: 'Die 64 Zeichen nach 0x, wie sie jeder Explorer zeigt.',
    hashWrong: 'Ein Hash besteht aus 0x und 64 Zeichen.',
    checkHash: 'Mit diesem Hash prüfen',
    explorer: 'Den Block in einem Explorer öffnen',
    you: 'Ihnen',
    accept: 'Das reicht mir',
    facts: {
      title: 'Was der Beweis sagt',
      amount: 'Betrag',
      donation: 'Spende',
      account: 'Konto',
      sender: 'Absender',
      unknownSender: 'Die Chain zeigt ihn nicht',
      transaction: 'Transaktion',
      block: 'Block',
      chain: 'Netzwerk',
    },
    desk: {
      file: 'Wählen Sie einen Beweis, oder ziehen Sie ihn auf diese Seite',
      fileHint: 'Die Datei, die Sie auf der Seite einer Spende herunterladen können.',
      paste: 'Oder fügen Sie den Beweis ein',
      node: 'Ihr eigener Knoten',
      nodeHint:
        'Freiwillig: die Adresse eines Knotens, dem Sie vertrauen, mit https. Ohne sie wird Ihre Wallet gefragt.',
      nodeWrong: 'Das ist keine Adresse mit https.',
      notJson: 'Das ist kein Beweis. Ein Beweis ist eine JSON-Datei.',
    },
  },
}
