import type { DonateTexts } from './en.ts'

export const es: DonateTexts = {
  title: (campaign) => `Donar a ${campaign}`,
  errors: 'Revisa esto',
  cancelled: 'La donación está cancelada. No has pagado nada.',
  refusals: {
    amount: 'Escribe un importe, por ejemplo 25 o 12,50.',
    currency: 'Esta campaña no acepta esta moneda.',
    wallet: 'Escribe la dirección de la cartera: 0x y 40 letras o cifras.',
    walletName:
      'Los nombres como jonas.eth no funcionan aquí. Escribe la dirección misma: 0x y 40 letras o cifras. Tu cartera la muestra donde recibes dinero.',
    ownAccount: 'Esta es la cuenta de la propia campaña. Escribe la cartera que paga.',
    name: 'El nombre tiene como máximo 80 caracteres, sin saltos de línea.',
    message: 'El mensaje tiene como máximo 280 caracteres, sin saltos de línea.',
    transaction: 'Escribe el hash de una transacción: 0x y 64 letras o cifras.',
    closed: 'Esta campaña no acepta donaciones ahora.',
    blocked: 'La ley nos prohíbe participar en transferencias con esta cartera.',
    tooMany:
      'Ya hay demasiadas donaciones a la espera de un pago de esta cartera. Paga o cancela una de ellas, o entra con la cartera.',
    limited: 'Han llegado demasiadas donaciones desde tu red. Inténtalo de nuevo en unos minutos.',
    unverified: 'Confirma primero tu dirección de correo. Te hemos enviado un código.',
    claimed: 'Otra donación ya tiene este pago. Si lo enviaste tú, entra con la cartera que pagó.',
    early: 'Este pago es anterior a la campaña, así que no es una donación para ella.',
    unknownPayment:
      'Ningún bloque que conozcamos contiene todavía este pago. Escribe su importe y su cartera, y lo buscaremos.',
    paidOrCancelled: 'Esta donación ya está pagada o cancelada.',
    unavailable:
      'No podemos comprobarlo ahora. No se ha perdido nada. Inténtalo de nuevo en un minuto.',
    other: 'No ha funcionado. Revisa el formulario e inténtalo de nuevo.',
  },
  currency: 'Moneda',
  suggestions: 'Importes sugeridos',
  countsAs: (other, currency) =>
    `${other} cuenta en ${currency}, al precio del bloque que contiene tu pago.`,
  rate: ({ one, about }) => `${one} equivale ahora a unos ${about}.`,
  dollar: (one) =>
    `USDC es dinero en una cadena de bloques. ${one} vale aproximadamente 1 dólar estadounidense.`,
  exchange:
    '¿Tienes el dinero en un exchange? Pásalo primero a tu propia cartera: un exchange paga desde una cartera que no es tuya, y no reconoceríamos tu pago.',
  optional: '(opcional)',
  slow: {
    text: 'El servidor no responde desde hace 8 segundos. Puede que haya recibido lo que enviaste.',
    again: 'Abrir la página de nuevo',
  },
  words: 'Tus palabras',
  name: 'Nombre',
  message: 'Mensaje',
  wordsHint: 'Todo el mundo puede leer ambos. Deja los dos vacíos para seguir en el anonimato.',
  alreadyPaid: 'Ya he pagado',
  closed: {
    title: 'Esta campaña no acepta donaciones ahora',
    what: 'No envíes dinero a su cuenta.',
    escrow:
      'El contrato de depósito de esta campaña ya no registra donaciones. No le envíes dinero: los verificadores tendrían que firmar su devolución.',
  },
  summary: {
    title: 'Tu donación es para',
    raised: ({ raised, target }) => `${raised} de ${target} recaudados`,
    account: 'Cuenta',
    network: 'Red',
    direct: 'El dinero va directamente a esta cuenta. Fundproof nunca lo tiene.',
    escrow: ({ deadline }) =>
      `Un contrato de depósito guarda el dinero hasta que los verificadores aprueben una etapa. Si no se alcanza la meta antes del ${deadline}, los donantes pueden recogerlo.`,
  },
  copy: { address: 'Copiar la dirección', amount: 'Copiar el importe', copied: 'Copiado' },
  panel: ({ network, networkId, coin, account }) => ({
    legend: '¿Cómo quieres pagar?',
    looking: 'Buscando carteras en este navegador…',
    noWallet:
      'Este navegador no tiene cartera. Una cartera es una aplicación o extensión que guarda tu dinero.',
    byPhone:
      'Escribe la dirección de tu cartera. La página siguiente abre una aplicación de cartera en este teléfono, o muestra un código para otro dispositivo.',
    openIn: 'Abre esta página en el navegador de una aplicación de cartera:',
    ownWallet:
      'Paga desde tu propia cartera. El contrato de depósito te registra, y para un reembolso no hace falta la firma de nadie. ¿Tienes el dinero en un exchange? Pásalo primero a tu propia cartera, porque una transferencia desde un exchange vuelve al exchange.',
    browserWallet: 'Cartera del navegador',
    phone: 'Aplicación de cartera u otro dispositivo',
    phoneHint:
      'Recibes un enlace para una aplicación de cartera, un código para escanear y todos los datos como texto.',
    address: 'Dirección de la cartera que paga',
    addressHint:
      'Empieza por 0x; un nombre como jonas.eth no funciona. Con esta dirección reconocemos tu pago.',
    button: {
      show: 'Ver cómo pagar',
      connect: 'Conectar {wallet}',
      connecting: 'Esperando a {wallet}…',
      switch: `Cambiar a ${network}`,
      switching: 'Esperando a {wallet}…',
      pay: 'Donar {amount}',
      checking: 'Comprobando el saldo…',
      intent: 'Registrando tu donación…',
      confirm: 'Confirma en {wallet}…',
      sent: 'Enviado',
    },
    cancel: 'Dejar de esperar',
    startAgain: 'Cancelar y empezar de nuevo',
    connected: 'Conectado con {from}.',
    switchHint: `Tu cartera usa otra red. Esta campaña está en ${network}.`,
    confirmHint: `Comprueba que tu cartera muestra {amount} y confirma. El dinero va a ${account}.`,
    slow: 'Tu cartera tiene una petición abierta. Haz clic en el icono de la cartera en tu navegador.',
    unanswered:
      'No llega respuesta desde hace 8 segundos. No has pagado nada. Espera, o deja de esperar e inténtalo de nuevo.',
    sent: 'Tu pago está enviado. Ahora se abre la página de tu donación.',
    signers:
      'Tu cartera es un contrato, así que quizá tengan que confirmar otras personas. Puedes cerrar esta página: tu donación cuenta cuando un bloque contenga el pago.',
    toDonation: 'Ir a tu donación',
    problems: {
      rejected: 'Lo has rechazado en tu cartera. No has pagado nada. Puedes intentarlo de nuevo.',
      busy: 'Tu cartera tiene abierta una petición anterior. Haz clic en su icono, responde a la petición e inténtalo de nuevo.',
      locked:
        'Tu cartera está bloqueada o no muestra ninguna cuenta. Desbloquéala e inténtalo de nuevo.',
      offline: 'Tu cartera no tiene conexión con su red. Revisa la cartera e inténtalo de nuevo.',
      'unknown-chain': `Tu cartera no ha cambiado de red. Elige tú ${network} (red ${networkId}) en la cartera y pulsa el botón otra vez.`,
      'no-fee-funds': `Esta cuenta necesita algo de ${coin} para la comisión de la red. No has pagado nada.`,
      unsupported: 'Tu cartera no puede hacerlo. Elige otra cartera.',
      failed: 'La cartera ha comunicado un error. Mira en la cartera si ha enviado algún pago.',
      'no-funds': 'Esta cuenta no tiene suficiente {currency}. No has pagado nada.',
      'wrong-account':
        'Esta donación espera un pago de {from}. Elige esta cuenta en tu cartera o empieza de nuevo.',
      'perhaps-paid':
        'Ya se pidió este pago a tu cartera, y esta página no ha visto la respuesta. Mira primero en tu cartera. Pulsa el botón de nuevo solo si no ha enviado nada.',
      blocked:
        'La ley nos prohíbe participar en transferencias con esta cartera. No has pagado nada.',
      closed: 'Esta campaña acaba de dejar de aceptar donaciones. No has pagado nada.',
      'too-many':
        'Ya hay demasiadas donaciones a la espera de un pago de esta cartera. Paga o cancela antes una de ellas.',
      limited:
        'Han llegado demasiadas donaciones desde tu red. Inténtalo de nuevo en unos minutos.',
      refused: 'Revisa lo que has escrito. No has pagado nada.',
      unreachable:
        'Ahora no se puede llegar a nosotros. No has pagado nada. Inténtalo de nuevo en un minuto.',
    },
    walletSays: 'Más sobre este error',
  }),
  escrow: {
    before: ({ isFirst }) =>
      `La página siguiente enumera cada solicitud de tu cartera, con su comisión, antes de que pregunte. Tú pagas las comisiones de la red.${isFirst ? ' El contrato aún no está en la cadena, así que también pagas por eso.' : ''} Fundproof no cobra nada.`,
    next: 'Siguiente: ver qué pide tu cartera',
    confirmHint:
      'Compara cada solicitud de tu cartera con la lista de arriba. Rechaza lo que no coincida.',
    rejected:
      'Has rechazado en tu cartera. No has dado nada. Solo se han gastado las comisiones de las solicitudes que confirmaste antes.',
    title: (count) =>
      count === 1 ? 'Tu cartera pregunta una vez' : `Tu cartera pregunta ${count} veces`,
    lead: 'Rechaza lo que no coincida con lo que lees aquí. Hasta que confirmes la última solicitud, no has dado nada.',
    of: ({ step, all }) => `Solicitud ${step} de ${all}`,
    kinds: {
      permission: {
        title: 'Firmar un permiso',
        what: 'Permite al depósito, y a ninguna otra cuenta, tomar este importe una vez.',
      },
      deploy: {
        title: 'Poner el contrato en la cadena',
        what: 'Aún no está en la cadena, así que también pagas por eso. Las condiciones ya son fijas.',
      },
      approve: {
        title: 'Permitir el importe',
        what: 'Permite al depósito, y a ninguna otra cuenta, tomar este importe.',
      },
      give: {
        title: 'Dar',
        what: 'El depósito toma el dinero y te registra como donante. Si la campaña fracasa, puedes recoger tu parte, y ningún verificador tiene que firmar.',
      },
      batch: {
        title: 'Dar con una solicitud',
        what: 'Tu cartera envía estas llamadas juntas. El depósito toma el dinero y te registra como donante.',
      },
    },
    moves: (amount) => `Mueve ${amount}.`,
    movesNone: 'No mueve dinero.',
    fee: 'Comisión de la red:',
    noFee: 'Sin comisión.',
    shows: 'Tu cartera muestra',
    kind: 'Tipo',
    signature: 'Solicitud de firma',
    transaction: 'Transacción',
    calls: 'Varias llamadas en una solicitud',
    action: 'Acción',
    to: 'A',
    value: 'Valor',
    limit: 'Límite',
    until: 'Válido hasta',
    parties: { escrow: 'el depósito', factory: 'la fábrica de depósitos', token: 'el token' },
    units: (amount) => `Son ${amount}, en las unidades más pequeñas del token.`,
    inside: (amount) => `Los ${amount} se mueven dentro de la llamada.`,
    costs: {
      title: 'Qué cuesta',
      donation: 'Donación',
      network: 'Comisiones de la red, que pagas tú',
      own: 'Comisión de Fundproof',
      none: 'ninguna',
      note: 'Las comisiones son una estimación. Tu cartera las muestra antes de que confirmes.',
    },
    gas: (gas) => `unos ${gas} de gas`,
    about: (fee) => `unos ${fee}`,
  },
  whoseTitle: 'Si otra persona indica mi pago',
  whose:
    'Un pago pertenece a la primera persona que indicó aquí su cartera o su hash. Después, solo dos cosas lo mueven: el enlace de un invitado o una firma de la cartera que pagó.',
  how: {
    title: 'Cómo pagar',
    send: ({ amount, network }) =>
      `Envía exactamente ${amount} en ${network}. La donación cuenta cuando su pago sea definitivo.`,
    contested: ({ amount }) =>
      `Otra donación también espera un pago desde esta cartera. Envía exactamente ${amount}, con todas las cifras. Si tu pago cuenta para la otra donación, entra con la cartera que pagó y registra el pago en «Ya he pagado».`,
    fromWallet: 'Con esta cartera reconocemos tu pago.',
    fromNamed: 'La cartera que se indicó al registrar esta donación',
    token: 'Token',
    account: 'A la cuenta',
    wallet: 'Desde la cartera',
    notSent: '¿Aún no lo has enviado? Cómo pagar',
    openPhone: 'Abrir en una cartera de este teléfono',
    checkThere: ({ amount, account, network }) =>
      `Comprueba allí: ${amount} a ${account} en ${network}.`,
    openApp: (name) => `Abrir ${name}`,
    scan: 'Escanear con otro dispositivo',
    open: 'Abrir en una cartera de este dispositivo',
    check: ({ amount, account }) =>
      `Algunas carteras leen mal los códigos. Comprueba que la tuya muestra ${amount} para ${account}.`,
    codeLabel: ({ amount, account, network }) =>
      `Código para un pago de ${amount} a ${account} en ${network}`,
    bareTitle: 'Mi cartera no entiende el código',
    bare: ({ amount, network }) =>
      `Este código solo contiene la cuenta. Elige ${network} en tu cartera y escribe tú ${amount}.`,
    bareLabel: ({ account }) => `Código de la cuenta ${account}`,
    panelTitle: 'Pagar con una cartera de este navegador',
    hashTitle: 'Ya he enviado el pago',
    hashHint:
      'Solo hace falta si pagaste desde otra cartera o si el pago no aparece aquí por sí solo.',
    hash: 'Hash de la transacción',
    hashButton: 'Guardar el hash',
    cancel: 'Cancelar esta donación',
    cancelHint: 'Solo si no has pagado.',
  },
  offered: {
    found: 'Hemos encontrado este pago.',
    from: ({ money, sender, block }) => `${money} de ${sender}, en el bloque ${block}.`,
    named: (wallet) => `Habías indicado ${wallet}.`,
    second: (money) => `Un segundo pago de ${money} no está asignado.`,
    sameWallet: (block) =>
      `Vino de la misma cartera, en el bloque ${block}. La campaña tiene el dinero, pero todavía no cuenta como donación.`,
    onlyYours:
      'Hazlo solo si lo enviaste tú: un exchange paga por muchas personas desde una misma cartera.',
    take: 'Convertirlo en esta donación',
    add: 'Añadirlo como donación mía',
    see: 'Ver el pago',
  },
  paid: {
    title: (campaign) => `¿Ya has pagado a ${campaign}?`,
    lead: 'Dinos la transacción y se convertirá en tu donación.',
    transaction: 'Transacción',
    transactionHint: 'Su hash o su dirección en un explorador de bloques.',
    notInBlockHint: 'Solo hace falta si ningún bloque contiene todavía el pago.',
    wallet: 'Cartera que ha pagado',
    button: 'Buscar mi pago',
    seeDonation: 'Ver esta donación',
    claimLink: 'Entrar con la cartera que pagó',
  },
}
