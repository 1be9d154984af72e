import type { EscrowTexts } from './en.ts'

export const es: EscrowTexts = {
  title: 'Depósito en garantía',
  intro:
    'Un contrato en la cadena guarda el dinero de esta campaña. Paga una etapa cuando los verificadores la han firmado y, si la campaña fracasa, los donantes pueden recoger el dinero. Fundproof no tiene ninguna llave. El contrato no ha sido auditado: no des más de lo que puedas perder.',
  states: {
    funding: {
      title: 'El depósito reúne dinero.',
      text: 'No se libera nada antes de alcanzar la meta. Si no se alcanza a tiempo, los donantes pueden recogerlo todo.',
    },
    active: {
      title: 'Se ha alcanzado la meta.',
      text: 'Ahora los verificadores deciden sobre cada etapa. Los donantes pueden recoger lo que no se libere a tiempo.',
    },
    done: {
      title: 'Se han liberado todas las etapas.',
      text: 'El trabajo del depósito ha terminado.',
    },
  },
  reasons: {
    surplus: 'Se han liberado todas las etapas, y los donantes se reparten lo que queda.',
    target_missed: 'La meta no se alcanzó a tiempo.',
    expired: 'El plazo para las liberaciones ha terminado.',
    cancelled: 'El creador canceló la campaña.',
    terminated: 'Los verificadores pusieron fin a la campaña.',
  },

  audit: 'Sin auditar: no des más de lo que puedas perder.',
  straight:
    'El creador tiene el dinero enseguida y se lo queda aunque no se alcance la meta. Sin reembolso.',
  money: {
    title: 'Dónde está el dinero',
    refundable: 'Por reembolsar ahora',
    sum: ({ parts, total }) => `${parts} = ${total}, todo lo que ha llegado.`,
    unassigned: (money) => `${money} de esta suma no pertenecen a ninguna donación abonada.`,
    releasedNone: 'No se ha liberado ninguna etapa.',
    releasedSome: ({ paid, all }) => `Etapas liberadas: ${paid} de ${all}.`,
    lockedNone: 'No queda nada en el contrato.',
    lockedFunding: 'El contrato no libera nada antes de alcanzar la meta.',
    lockedFor: (money) => `${money} son para etapas que aún no se han liberado.`,
    lockedAbove: {
      recipient: (money) =>
        `${money} por encima de las etapas van al destinatario después de la última etapa.`,
      donors: (money) =>
        `${money} por encima de las etapas vuelven a los donantes después de la última etapa.`,
    },
    ifMissed: (day) =>
      `Si la meta no se alcanza antes del ${day}, los donantes pueden recogerlo todo.`,
    ifUnpaid: (day) => `Los donantes pueden recoger lo que no se libere antes del ${day}.`,
    collect:
      'Para cada reembolso, una persona envía una transacción y paga la comisión de la red. Las transferencias simples necesitan además firmas de verificadores.',
    due: 'El plazo ha terminado: cualquier persona puede abrir los reembolsos.',
    owedNone: 'No se debe nada a los donantes.',
    collectable: (money) => `${money} se pueden recoger ahora.`,
    unsigned: (money) =>
      `${money} llegaron por transferencia simple y necesitan antes firmas de verificadores.`,
    dust: 'Un resto del redondeo. Ningún donante puede recibirlo.',
    backNone: 'Aún no se ha reembolsado nada.',
    backSome: 'Ha ido a los donantes, o a cuentas que firmaron los verificadores.',
  },
  ended: {
    waiting: {
      title: 'Recupera tu parte.',
      text: ({ owed, back }) =>
        `${owed} ${back} ya se han reembolsado. Abre tu donación para ver cómo recibes tu parte. No des más.`,
      find: 'Doné sin este sitio: buscar mi reembolso',
    },
    everything: 'No queda nada por reembolsar.',
    paid: ({ back, total }) => `El depósito ha reembolsado ${back} de ${total}. No des más.`,
    empty: {
      title: 'La campaña terminó antes de recibir dinero.',
      text: 'No hay nada que reembolsar. No envíes dinero.',
    },
  },

  terms: 'Condiciones',
  termsNote:
    'La dirección del contrato se calcula a partir de estas condiciones, así que ninguna persona puede cambiarlas.',
  contract: 'Contrato',
  notDeployed:
    'Aún no está en la cadena. Ya puede recibir dinero, porque las condiciones son fijas.',
  recipient: 'Destinatario',
  recipientNote: 'La única cuenta a la que se pagan las etapas. Solo ella puede cancelar.',
  token: 'Token',
  deadline: 'Donaciones hasta',
  deadlineNote:
    'Las donaciones terminan también con la primera liberación. No pagues después: el contrato ya no registra donantes, y los verificadores deben firmar la devolución.',
  activateBy: 'Meta alcanzada antes de',
  activateByNote: 'Si el contrato no se activa antes de esa fecha, devuelve el dinero.',
  expiry: 'Liberaciones hasta',
  expiryNote: 'Los donantes pueden recoger lo que quede después.',
  verifiers: 'Verificadores',
  verifiersNote:
    'Cada verificador por sí solo puede detener todas las etapas hasta que termine el plazo de las liberaciones. Entonces los donantes pueden recoger el dinero.',
  quorum: 'Verificadores necesarios para terminar la campaña o firmar devoluciones',
  quorumOf: (quorum, verifiers) => `${quorum} de ${verifiers}`,
  surplus: 'Dinero sobrante',
  surplusTo: { recipient: 'va al destinatario', donors: 'vuelve a los donantes' },
  codeProven: 'Código probado desde',
  codeNotProven: 'aún sin probar',

  oneVerifier: (money) =>
    `Un solo verificador puede liberar ${money}, con una firma por cada etapa.`,
  alsoLeft: 'Después el destinatario recibe también lo que queda.',
  milestone: 'Etapa',
  signatures: 'Firmas necesarias',

  refunds: 'Reembolsos',
  assetReturns:
    'Las transferencias en otra moneda se devuelven cuando suficientes verificadores han firmado la devolución.',
  search: {
    lead: '¿Pagaste al contrato sin usar este sitio? Entonces busca con la cuenta que pagó.',
    account: 'Dirección de la cuenta que pagó',
    find: 'Buscar mi reembolso',
    none: 'No conocemos ningún reembolso de esta cuenta.',
    roads: { on_chain: 'Donaciones registradas', by_verifiers: 'Transferencia simple' },
  },

  transactions: 'Transacciones que se pueden enviar ahora',
  transactionsIntro:
    'Quien la envía solo paga la comisión de la red. El dinero va al destinatario o a las cuentas de los reembolsos.',
  noTransactions: 'Ahora no es posible ninguna transacción.',
  actions: {
    deploy: {
      title: 'Poner el contrato en la cadena',
      text: 'Cualquier cuenta puede enviarla. No cambia nada de las condiciones.',
    },
    activate: {
      title: 'Activar el depósito',
      text: 'Hace falta si la última parte de la meta llegó por transferencia simple. Cualquier cuenta puede enviarla.',
    },
    close: {
      title: 'Abrir los reembolsos',
      text: 'Tras esta transacción los donantes recuperan lo que queda. Cualquier cuenta puede enviarla.',
    },
    cancel: {
      title: 'Cancelar la campaña',
      text: 'Solo el destinatario puede enviarla. Los donantes recuperan lo que queda. No se puede deshacer.',
    },
    releaseSurplus: {
      title: 'Pagar lo que queda al destinatario',
      text: 'Se han liberado todas las etapas. Cualquier cuenta puede enviarla.',
    },
    release: {
      title: 'Liberación',
      text: 'Los verificadores han firmado esta etapa. El dinero va al destinatario. Cualquier cuenta puede enviarla.',
    },
  },

  transaction: {
    data: 'Datos de la transacción',
    chain: 'Red',
    to: 'A',
    payload: 'Datos',
    value: 'Valor',
    from: 'De',
    validUntil: 'Válida hasta',
    call: (number) => `Transacción ${number}`,
    works: 'Un nodo la ha probado: ahora funciona. Comisión de la red: {fee}.',
    fails: 'Un nodo la ha probado: ahora fallaría.',
    untried: 'Ningún nodo ha podido probarla ahora.',
  },
  send: {
    send: 'Enviar con mi cartera',
    choose: '¿Qué cartera debe enviarla?',
    browserWallet: 'Cartera del navegador',
    working: 'Confírmala en tu cartera. Si no ves nada, haz clic en el icono de la cartera.',
    sent: 'Enviada. Cuando el bloque sea definitivo, los importes de arriba cambiarán solos.',
    again: 'Intentarlo de nuevo',
    problems: {
      rejected: 'La has rechazado en tu cartera. No se ha enviado nada.',
      busy: 'Tu cartera tiene una solicitud abierta. Haz clic en su icono, respóndela e inténtalo de nuevo.',
      locked:
        'Tu cartera está bloqueada o no muestra ninguna cuenta. Desbloquéala e inténtalo de nuevo.',
      offline: 'Tu cartera no está conectada a su red. Inténtalo de nuevo.',
      'unknown-chain': 'Tu cartera usa otra red. Elige en ella la correcta e inténtalo de nuevo.',
      'no-fee-funds': 'Tu cartera no tiene suficiente para la comisión de la red.',
      unsupported: 'Tu cartera no puede hacer esto.',
      failed:
        'La cartera no ha podido enviarla. No se ha enviado nada, o la transacción ha fallado.',
      'no-wallet':
        'No hay ninguna cartera en este navegador. Abre esta página en el navegador de una aplicación de cartera, o envía los datos de la transacción de otra manera.',
      'wrong-account':
        'En tu cartera hay otra cuenta seleccionada. Solo la cuenta de «De» puede enviarla.',
    },
  },
}
