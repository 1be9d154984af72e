import type { CheckPageTexts } from './en.ts'

export const es: CheckPageTexts = {
  title: 'Comprobar una prueba',
  lead: 'Tu navegador vuelve a calcular la prueba. El archivo se queda en tu ordenador, y el bloque viene de tu cartera, de un explorador o de los validadores de la cadena, nunca de nosotros.',
  alone: {
    title: 'Sin este sitio',
    text: 'Esta página viene del servicio del que trata la prueba. Puedes prescindir de ella: el programa es abierto y solo necesita la prueba, las claves y un nodo de tu confianza o un punto de control.',
    keys: 'Las claves de este servicio',
  },
  island: {
    start: 'Comprobar esta prueba',
    again: 'Comprobar de nuevo',
    reading: 'Leyendo la prueba…',
    asking: 'Preguntando a {names} por el bloque {block}…',
    notReady:
      'La prueba aún no está lista. Lo estará unos segundos después del abono. Esta página vuelve a preguntar sola.',
    slow: 'Tarda más de lo normal. Puedes cerrar esta página y volver: no se pierde nada.',
    alone: 'Seguir sin respuesta',
    noAnswer: 'No se pudo cargar la prueba. Revisa tu conexión e inténtalo de nuevo.',
    noJavaScript:
      'La comprobación en el navegador necesita JavaScript. Sin él, descarga la prueba y compruébala con el programa.',
    verdicts: {
      proven: 'Todos los pasos se cumplen.',
      needs_hash:
        'Toma el hash del bloque {block} de tu cartera o de un explorador, no de nosotros.',
      other_block:
        'Según {source}, el bloque {block} tiene otro hash: {hash}. O la cadena ha sustituido el bloque, o la prueba es falsa.',
      unknown_key:
        'El pago en la cadena está demostrado. El abono no: su clave no es de este sitio. Un archivo de claves solo lo demuestra si sabes por ti mismo que la clave es del servicio.',
      other_key: 'Ha firmado esta prueba una clave que no está en tu archivo. No te fíes de ella.',
      lower_level:
        'Todo se cumple, pero aquí la cadena demuestra menos que la propia transacción. Tú decides si te basta.',
      other_donation: 'Esta es la prueba de otra donación, no de la de esta página.',
      other_history:
        'Tu archivo da otra cabecera para el mismo sello. El servicio ha cambiado su libro mayor después de que lo guardaras.',
      no_signatures:
        'Este navegador no puede comprobar la firma. Usa un navegador actual y una dirección con https, o el programa.',
      not_a_proof: 'Esto no es una prueba que esta página pueda leer.',
      failed: 'Abajo se ve qué paso falla.',
    },
    titles: {
      proven: 'La donación está demostrada.',
      needs_hash: 'Falta una cosa: el hash del bloque.',
      open: 'La donación aún no está demostrada.',
      wrong: 'La donación NO está demostrada.',
    },
    says: {
      proven: 'Lo que ha demostrado tu navegador',
      soFar: 'Lo que se cumple hasta ahora',
      paid: '{amount} pasaron de {sender} a {account}.',
      arrived: '{amount} llegaron a {account}. La cadena no muestra de quién.',
      onlyIf: 'Esto vale si el bloque {block} es como dice la prueba.',
      block:
        'El pago está en el bloque {block} de {chain}. El hash de ese bloque viene de {names}.',
      credit:
        'El libro mayor de este servicio lo abona una sola vez, a {campaign}, y el servicio lo ha firmado.',
      campaign: 'esta campaña',
      trusted: 'De quién te has fiado',
      trust: 'Te has fiado de {list}.',
      keep: 'Un archivo que guardaste otro día evita tener que fiarte de este sitio.',
      others: 'Lo que solo sabe otra fuente',
    },
    stepsTitle: 'Los {count} pasos',
    stepsHeld: 'se cumplen {held} de {count}',
    steps: {
      format: 'El archivo es una prueba completa',
      header: 'La cabecera es la del bloque',
      chain: 'El bloque está en la cadena',
      receipt: 'El recibo de transacción está en el bloque y el pago tuvo éxito',
      transaction: 'La transacción está en el bloque',
      escrow: 'La cuenta es el contrato de depósito con estas condiciones',
      payment: 'Importe, moneda, remitente y destinatario son correctos',
      balance: 'El saldo de la cuenta subió en ese importe',
      level: 'La cadena demuestra tanto como pides',
      entries: 'El libro mayor abona el pago una sola vez',
      inclusion: 'Los asientos del libro mayor están sellados',
      head: 'La cabecera del libro mayor se deduce del sello',
      signature: 'El servicio ha firmado la cabecera',
      page: 'Es la donación de esta página',
      kept: 'El archivo que guardaste coincide',
    },
    holds: 'se cumple',
    fails: 'falla',
    unchecked: 'sin comprobar',
    words: {
      source: '{names} para el hash del bloque',
      no_source: 'ninguna fuente aún para el hash del bloque',
      own_key: 'el archivo que guardaste para la clave del servicio',
      site_key: 'este sitio para su propia clave',
      unknown_key: 'ninguna fuente aún para la clave',
      reversal: 'el servicio en que no ha revertido el abono desde entonces',
      price: 'el servicio para el precio al que cuenta el pago',
      receipt: 'el servicio para la transacción del recibo de transacción',
      balance: 'el servicio para la transacción que subió el saldo',
    },
    head: {
      titles: {
        current: 'La cabecera está firmada, y el libro mayor aún termina con ella.',
        older: 'La cabecera está firmada. El libro mayor ha crecido desde entonces.',
        alone: 'La cabecera está firmada.',
        other: 'El libro mayor de este sitio NO coincide con esta cabecera.',
        unsigned: 'La cabecera NO está demostrada.',
        no_signatures: 'Este navegador no puede comprobar la firma.',
      },
      why: {
        current:
          'No se ha añadido ni cambiado nada desde que la guardaste. Aquí no se han sumado importes.',
        older:
          'El libro mayor de este sitio va ahora por el sello {newest}. El total de esta cabecera es la suma de los asientos hasta el sello {seq}.',
        alone: 'Este sitio no ha dado su cabecera más reciente. Conéctate e inténtalo de nuevo.',
        other:
          'Este sitio tiene otra cabecera para el sello {seq}, o ya no tiene ese sello. Su libro mayor se cambió después de la firma, o continúa desde una copia de seguridad. Guarda el archivo y pregunta al operador.',
        unsigned:
          'Ninguna clave de este sitio ha firmado esta cabecera, o el archivo se ha cambiado.',
        no_signatures:
          'Usa un navegador actual y una dirección con https, o el programa de este servicio.',
      },
      signed: 'Una clave de este sitio ha firmado el sello {seq} del libro mayor de {campaign}.',
      fixed:
        'La cabecera fija todos los asientos hasta este sello y, con ellos, su total. Si cambia uno, la cabecera es otra.',
      trusted:
        'La cabecera no contiene importes: suma los asientos en {ledger}. Asientos según el archivo: {entries}, sello de {time}. La firma no cubre estos dos datos.',
      ledger: 'el libro mayor',
      keep: 'Guarda el archivo. La próxima prueba que sueltes aquí se compara con él.',
    },
    signedBy: 'Firmado con la clave {key}',
    compare: 'Comparar con un archivo que guardaste',
    compareHint:
      'Un archivo de claves, una cabecera del libro mayor o actualizaciones de un comité de sincronización de un día anterior. El archivo se queda contigo.',
    comparedWith: 'Comparado con {file}',
    unknownFile: 'Este archivo no contiene ni una clave ni una cabecera del libro mayor.',
    problems: {
      other_chain: '{name} usa una red distinta de {chain}.',
      no_block: '{name} no conoce este bloque.',
      no_answer: '{name} no ha respondido.',
      no_updates:
        'Este sitio no ha dado actualizaciones para este punto de control. Comprueba la conexión, toma la raíz del slot de abajo o elige un archivo de actualizaciones.',
      not_proven: 'El punto de control no demuestra este bloque:',
    },
    noWallet: 'No hay ninguna cartera en este navegador.',
    switchTo: 'Cambiar {name} a {chain}',
    unnamedWallet: 'Cartera del navegador',
    hashLabel: 'Hash del bloque {block}',
    hashHint: 'Los 64 dígitos después de 0x, como los muestra cualquier explorador.',
    hashWrong: 'Un hash tiene 0x y 64 dígitos.',
    checkpointLabel: 'O un punto de control: la raíz de un bloque beacon definitivo',
    checkpointHint:
      '32 bytes que guardaste, o la raíz del bloque del slot {slot}, si varios exploradores beacon dan la misma. A partir de ahí, los validadores de la cadena demuestran el bloque. Este sitio solo da sus firmas, que se comprueban aquí.',
    checkCheckpoint: 'Comprobar con este punto de control',
    checkHash: 'Comprobar con este hash',
    explorer: 'Abrir el bloque en un explorador',
    you: 'tu propia fuente',
    ownCheckpoint: 'tu punto de control',
    committee: 'los validadores de la cadena (desde tu punto de control)',
    describedCommittee:
      'los validadores de la cadena (desde tu punto de control, en una red tal como la describe este sitio)',
    accept: 'Me basta',
    facts: {
      title: 'Qué dice la prueba',
      amount: 'Importe',
      donation: 'Donación',
      account: 'Cuenta',
      sender: 'Remitente',
      unknownSender: 'La cadena no lo muestra',
      transaction: 'Transacción',
      block: 'Bloque',
      chain: 'Red',
    },
    desk: {
      file: 'Elige una prueba o la cabecera de un libro mayor, o suéltala en esta página',
      fileHint:
        'El archivo que descargaste en la página de una donación o de un libro mayor, o actualizaciones de un comité de sincronización.',
      paste: 'O pega la prueba',
      node: 'Tu propio nodo',
      nodeHint:
        'Opcional: la dirección de un nodo de tu confianza, con https. Sin ella se pregunta a tu cartera.',
      nodeWrong: 'Esta no es una dirección con https.',
      keys: 'Esto son claves. La próxima prueba que sueltes aquí se compara con ellas.',
      updates: 'Son actualizaciones de un comité de sincronización. Elige ahora la prueba.',
      notJson: 'Esto no es una prueba. Una prueba es un archivo JSON.',
    },
  },
}
