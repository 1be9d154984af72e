import type { CheckPageTexts } from './en.ts'

export const de: CheckPageTexts = {
  title: 'Einen Beweis prüfen',
  lead: 'Ihr Browser rechnet den Beweis nach. Die Datei bleibt auf Ihrem Computer, und der Block kommt aus Ihrer Wallet, einem Explorer oder von den Validatoren der Chain, nie von uns.',
  alone: {
    title: 'Ohne diese Website',
    text: 'Diese Seite kommt von dem Dienst, um dessen Beweis es geht. Es geht auch ohne sie: Das Programm ist offen und braucht nur den Beweis, die Schlüssel und einen Knoten Ihrer Wahl oder einen Checkpoint.',
    keys: 'Die Schlüssel dieses Dienstes',
  },
  island: {
    start: 'Diesen Beweis prüfen',
    again: 'Noch einmal prüfen',
    reading: 'Der Beweis wird gelesen …',
    asking: '{names} wird nach Block {block} gefragt …',
    notReady:
      'Der Beweis ist noch nicht fertig. Er ist es wenige Sekunden nach der Gutschrift. Diese Seite fragt von selbst wieder.',
    slow: 'Das dauert länger als sonst. Sie können diese Seite schließen und wiederkommen: Es geht nichts verloren.',
    alone: 'Ohne Antwort weiter',
    noAnswer:
      'Der Beweis konnte nicht geladen werden. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
    noJavaScript:
      'Die Prüfung im Browser braucht JavaScript. Ohne JavaScript können Sie den Beweis herunterladen und mit dem Programm prüfen.',
    verdicts: {
      proven: 'Jeder Schritt stimmt.',
      needs_hash:
        'Nehmen Sie den Hash von Block {block} aus Ihrer Wallet oder einem Explorer, nicht von uns.',
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
      failed: 'Unten steht, welcher Schritt nicht stimmt.',
    },
    titles: {
      proven: 'Die Spende ist bewiesen.',
      needs_hash: 'Eines ist offen: der Hash des Blocks.',
      open: 'Die Spende ist noch nicht bewiesen.',
      wrong: 'Die Spende ist NICHT bewiesen.',
    },
    says: {
      proven: 'Was Ihr Browser bewiesen hat',
      soFar: 'Was bisher stimmt',
      paid: '{amount} gingen von {sender} an {account}.',
      arrived: '{amount} kamen auf {account} an. Die Chain zeigt nicht, von wem.',
      onlyIf: 'Das gilt, wenn Block {block} so ist, wie der Beweis sagt.',
      block:
        'Die Zahlung ist in Block {block} von {chain}. Der Hash dieses Blocks kommt von {names}.',
      credit:
        'Das Hauptbuch dieses Dienstes schreibt sie genau einmal gut, für {campaign}, und der Dienst hat das unterschrieben.',
      campaign: 'diese Kampagne',
      trusted: 'Wem Sie geglaubt haben',
      trust: 'Sie haben geglaubt: {list}.',
      keep: 'Eine Datei, die Sie an einem früheren Tag aufgehoben haben, ersetzt das Wort dieser Website.',
      others: 'Was nur eine andere Quelle weiß',
    },
    stepsTitle: 'Die {count} Schritte',
    stepsHeld: '{held} von {count} stimmen',
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
    words: {
      source: '{names} den Hash des Blocks',
      no_source: 'noch keiner Quelle den Hash des Blocks',
      own_key: 'Ihrer aufgehobenen Datei den Schlüssel des Dienstes',
      site_key: 'dieser Website ihren eigenen Schlüssel',
      unknown_key: 'noch keiner Quelle den Schlüssel',
      reversal: 'dem Dienst, dass er die Gutschrift seitdem nicht zurückgenommen hat',
      price: 'dem Dienst den Kurs, zu dem er die Zahlung zählt',
      receipt: 'dem Dienst, welche Transaktion zum Transaktionsbeleg gehört',
      balance: 'dem Dienst, welche Transaktion den Kontostand erhöht hat',
    },
    head: {
      titles: {
        current: 'Der Kopf ist unterschrieben, und das Hauptbuch endet noch mit ihm.',
        older: 'Der Kopf ist unterschrieben. Das Hauptbuch ist seitdem gewachsen.',
        alone: 'Der Kopf ist unterschrieben.',
        other: 'Das Hauptbuch dieser Website passt NICHT zu diesem Kopf.',
        unsigned: 'Der Kopf ist NICHT bewiesen.',
        no_signatures: 'Dieser Browser kann die Unterschrift nicht prüfen.',
      },
      why: {
        current:
          'Seit Sie ihn aufgehoben haben, kam nichts dazu und nichts wurde geändert. Beträge wurden hier nicht zusammengezählt.',
        older:
          'Das Hauptbuch dieser Website ist jetzt bei Siegel {newest}. Die Summe dieses Kopfes ist die Summe der Einträge bis Siegel {seq}.',
        alone:
          'Diese Website hat ihren neuesten Kopf nicht genannt. Stellen Sie die Verbindung her und versuchen Sie es noch einmal.',
        other:
          'Diese Website hat für Siegel {seq} einen anderen Kopf, oder das Siegel nicht mehr. Ihr Hauptbuch wurde nach der Unterschrift geändert, oder sie arbeitet mit einer Sicherung weiter. Heben Sie die Datei auf und fragen Sie den Betreiber.',
        unsigned:
          'Kein Schlüssel dieser Website hat diesen Kopf unterschrieben, oder die Datei wurde geändert.',
        no_signatures:
          'Nehmen Sie einen aktuellen Browser und eine Adresse mit https, oder das Programm dieses Dienstes.',
      },
      signed:
        'Ein Schlüssel dieser Website hat Siegel {seq} des Hauptbuchs für {campaign} unterschrieben.',
      fixed:
        'Der Kopf legt jeden Eintrag bis zu diesem Siegel fest, und damit ihre Summe. Ändert sich einer davon, ist der Kopf ein anderer.',
      trusted:
        'Der Kopf selbst nennt keinen Betrag: Zählen Sie die Einträge zusammen, siehe {ledger}. Einträge laut Datei: {entries}, versiegelt {time}. Diese beiden Angaben deckt die Unterschrift nicht.',
      ledger: 'das Hauptbuch',
      keep: 'Heben Sie die Datei auf. Ein Beweis, den Sie als Nächstes hierher ziehen, wird mit ihr verglichen.',
    },
    signedBy: 'Unterschrieben mit dem Schlüssel {key}',
    compare: 'Mit einer aufgehobenen Datei vergleichen',
    compareHint:
      'Eine Schlüsseldatei, ein Kopf des Hauptbuchs oder Aktualisierungen eines Sync-Komitees von einem früheren Tag. Die Datei bleibt bei Ihnen.',
    comparedWith: 'Verglichen mit {file}',
    unknownFile: 'In dieser Datei steht weder ein Schlüssel noch ein Kopf des Hauptbuchs.',
    problems: {
      other_chain: '{name} nutzt ein anderes Netzwerk als {chain}.',
      no_block: '{name} kennt diesen Block nicht.',
      no_answer: '{name} hat nicht geantwortet.',
      no_updates:
        'Diese Website hat für diesen Checkpoint keine Aktualisierungen. Prüfen Sie die Verbindung, nehmen Sie die Wurzel des Slots unten, oder wählen Sie eine Datei mit Aktualisierungen.',
      not_proven: 'Der Checkpoint beweist diesen Block nicht:',
    },
    noWallet: 'In diesem Browser ist keine Wallet.',
    switchTo: '{name} auf {chain} umstellen',
    unnamedWallet: 'Browser-Wallet',
    hashLabel: 'Hash von Block {block}',
    hashHint: 'Die 64 Zeichen nach 0x, wie sie jeder Explorer zeigt.',
    hashWrong: 'Ein Hash besteht aus 0x und 64 Zeichen.',
    checkpointLabel: 'Oder ein Checkpoint: die Wurzel eines endgültigen Beacon-Blocks',
    checkpointHint:
      '32 Bytes, die Sie aufbewahrt haben, oder die Wurzel des Blocks in Slot {slot}, wenn mehrere Beacon-Explorer dieselbe nennen. Von dort an beweisen die Validatoren der Chain den Block. Diese Website liefert nur ihre Unterschriften, die hier geprüft werden.',
    checkCheckpoint: 'Mit diesem Checkpoint prüfen',
    checkHash: 'Mit diesem Hash prüfen',
    explorer: 'Den Block in einem Explorer öffnen',
    you: 'Ihrer eigenen Quelle',
    ownCheckpoint: 'Ihrem Checkpoint',
    committee: 'den Validatoren der Chain (ab Ihrem Checkpoint)',
    describedCommittee:
      'den Validatoren der Chain (ab Ihrem Checkpoint, in einem Netzwerk, wie diese Website es beschreibt)',
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
      file: 'Wählen Sie einen Beweis oder den Kopf eines Hauptbuchs, oder ziehen Sie die Datei auf diese Seite',
      fileHint:
        'Die Datei, die Sie auf der Seite einer Spende oder eines Hauptbuchs heruntergeladen haben, oder Aktualisierungen eines Sync-Komitees.',
      paste: 'Oder fügen Sie den Beweis ein',
      node: 'Ihr eigener Knoten',
      nodeHint:
        'Freiwillig: die Adresse eines Knotens, dem Sie vertrauen, mit https. Ohne sie wird Ihre Wallet gefragt.',
      nodeWrong: 'Das ist keine Adresse mit https.',
      keys: 'Das sind Schlüssel. Ein Beweis, den Sie als Nächstes hierher ziehen, wird mit ihnen verglichen.',
      updates: 'Das sind Aktualisierungen eines Sync-Komitees. Wählen Sie als Nächstes den Beweis.',
      notJson: 'Das ist kein Beweis. Ein Beweis ist eine JSON-Datei.',
    },
  },
}
