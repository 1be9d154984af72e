import type { DonationTexts } from './en.ts'

export const es: DonationTexts = {
  title: (money, campaign) => `${money} para ${campaign}`,
  state: 'Estado de la donación',
  done: {
    onItsWay: 'En camino',
    credited: 'Abonada',
    proven: 'Probada',
    refunded: 'REEMBOLSADA',
    partly: (back, all) => `REEMBOLSADA EN PARTE, ${back} de ${all}`,
  },
  way: 'Cómo llegó',
  wayLength: (steps, time) => `${steps} pasos, ${time}`,
  share: 'Compartir',
  shared: 'El enlace está copiado.',
  steps: {
    promised: 'Prometida',
    sent: 'Enviada',
    in_block: 'En un bloque',
    credited: 'Definitiva y abonada',
    sealed: 'Sellada',
    proven: 'Demostrada',
  },
  marks: { done: 'hecho', now: 'ahora', next: 'después', bad: 'no ocurrió' },

  confirming: (block, minutes) => {
    if (minutes === null) {
      return `En el bloque ${block}, que aún no es definitivo. Puedes cerrar esta página.`
    }
    const time = minutes === 1 ? 'cerca de un minuto' : `unos ${minutes} minutos`
    return `En el bloque ${block}. Definitiva en ${time}; puedes cerrar esta página.`
  },
  confirmations: (count, required) => `${count} de ${required} bloques`,
  credited: (money) => `La campaña tiene abonados ${money}. Gracias.`,
  proven: 'Puedes comprobar la prueba más abajo, sin fiarte de nosotros.',
  sealing: 'Se está sellando el libro mayor. La prueba estará lista en unos segundos.',
  worthless:
    'El pago vale menos que la unidad más pequeña de la moneda de la campaña. No cuenta nada y no tiene prueba.',
  paidBack: (money) => `El contrato de depósito ha devuelto ${money}, toda esta donación.`,
  partlyPaidBack: (money) => `El contrato de depósito ha devuelto ${money} de esta donación.`,
  paidElsewhere: (money, account) =>
    `El contrato de depósito ha pagado ${money} de esta donación a ${account}, como firmaron sus verificadores.`,
  nextLook: (time) => `Próxima comprobación: ${time}`,
  closed: 'No pagues ya: la campaña ha dejado de aceptar donaciones.',
  unrecorded:
    'No pagues: el contrato de depósito no registraría este pago, y los verificadores tendrían que firmar su devolución.',
  reasons: {
    waiting_for_transaction: {
      why: 'Ningún bloque muestra todavía la transacción.',
      next: 'Unos minutos son normales. Si tarda más, acelérala en tu cartera: esta página sigue sola la nueva transacción. Puedes cerrarla.',
    },
    waiting_for_payment: {
      why: 'El pago aún no ha llegado.',
      next: 'Paga como se indica abajo. Puedes cerrar esta página: un pago cuenta llegue cuando llegue, mientras la campaña acepte donaciones.',
    },
    node_unavailable: {
      why: 'Los nodos a los que preguntamos no responden en este momento.',
      next: 'No se pierde nada. La donación sigue cuando respondan.',
    },
    node_disbelieved: {
      why: 'Las respuestas de los nodos no se sostienen, así que no las contamos.',
      next: 'No se pierde nada. Preguntamos hasta que una respuesta se pueda demostrar.',
    },
    waiting_for_finality_proof: {
      why: 'Los nodos dicen que el bloque es definitivo, pero todavía nos faltan las firmas de los validadores que lo demuestran.',
      next: 'No se pierde nada. La donación sigue cuando tengamos esta prueba, normalmente en unos minutos.',
    },
    internal_payment_unproven: {
      why: 'Este pago lo hizo un contrato, y la cadena no demuestra todavía cuánto llegó.',
      next: 'Seguimos buscando una prueba. Si tarda más de un día, pregunta al operador e indica esta donación.',
    },
    replacement_not_found: {
      why: 'Otra transacción de la misma cartera ocupó el lugar de esta, y no la conocemos.',
      next: 'Si la aceleraste, busca el nuevo hash en tu cartera y regístralo en «Ya he pagado».',
    },
    price_unavailable: {
      why: 'El pago es definitivo, pero todavía no hay un precio para convertirlo.',
      next: 'El dinero está seguro en la cuenta de la campaña. Se abona en cuanto haya un precio.',
    },
    price_stale: {
      why: 'El pago es definitivo, pero el precio de su bloque es demasiado antiguo para contar.',
      next: 'El dinero está seguro en la cuenta de la campaña. Seguimos pidiendo un precio mejor.',
    },
    sequencer_down: {
      why: 'El pago es definitivo, pero la cadena acababa de estar caída, así que sus precios aún no cuentan.',
      next: 'El dinero está seguro en la cuenta de la campaña. Seguimos pidiendo el precio.',
    },
    transaction_reverted: {
      why: 'La transacción falló en la cadena, así que no se movió dinero.',
      next: 'Solo se ha perdido la comisión. Puedes donar otra vez.',
    },
    wrong_recipient: {
      why: 'La transacción pagó a otra cuenta, no a la de esta campaña.',
      next: 'Mira en tu cartera adónde fue el dinero. Nosotros no podemos recuperarlo.',
    },
    unknown_token: {
      why: 'La transacción pagó con un token que esta campaña no acepta.',
      next: 'El token está en la cuenta de la campaña, pero no cuenta. Pide al creador, o a los verificadores de un contrato de depósito, que lo devuelva.',
    },
    no_such_transfer: {
      why: 'La transacción no contiene ese pago a esta campaña.',
      next: 'Compara el hash con tu cartera. Si era otro, registra la donación de nuevo.',
    },
    ledger_address_mismatch: {
      why: 'La transacción no tiene ningún pago desde la dirección indicada ni hacia ella.',
      next: 'Registra la donación de nuevo con la cartera que pagó.',
    },
    transfer_before_campaign: {
      why: 'El pago es anterior a la campaña.',
      next: 'No puede contar. Pregunta al creador, o a los verificadores de un contrato de depósito: el dinero está en la cuenta de la campaña.',
    },
    transfer_already_claimed: {
      why: 'Este pago ya pertenece a otra donación.',
      next: 'Si el pago es tuyo, entra con la cartera que pagó y regístralo otra vez en «Ya he pagado»: pasará a ser tuyo.',
    },
    block_unsupported: {
      why: 'El pago está en un bloque que este servicio no puede demostrar.',
      next: 'Pregunta al operador e indica esta donación.',
    },
    returned_in_transaction: {
      why: 'El dinero volvió a salir de la cuenta de la campaña en la misma transacción.',
      next: 'No queda nada que pueda contar. Puedes donar otra vez.',
    },
    transaction_replaced: {
      why: 'Tu cartera sustituyó la transacción por otra, que no paga a esta campaña.',
      next: 'La campaña no recibió dinero de ella. Puedes donar otra vez.',
    },
    moved_to_wallet_owner: {
      why: 'El pago cuenta ahora como donación del titular de la cartera que pagó.',
      next: 'Si la cartera es tuya, entra con ella para ver la donación.',
    },
    cancelled: {
      why: 'La promesa se canceló antes de que llegara un pago.',
      next: 'Si llegaste a pagar, registra el pago en «Ya he pagado».',
    },
    asset_not_escrowed: {
      why: 'El contrato de depósito de esta campaña guarda una moneda distinta de la que se pagó.',
      next: 'El pago no cuenta. Cuando termine la campaña, sus verificadores podrán devolverlo.',
    },
    campaign_failed: {
      why: 'El contrato de depósito de la campaña había fracasado antes de este pago.',
      next: 'El pago no cuenta. Los verificadores de la campaña deben firmar su devolución.',
    },
    never_seen: {
      why: 'Ningún nodo ha mostrado la transacción en todo el tiempo que hemos esperado.',
      next: 'Si entra más tarde en un bloque, la donación sigue sola. Tu cartera muestra qué fue de ella.',
    },
    payment_not_received: {
      why: 'No llegó ningún pago a tiempo.',
      next: 'Un pago tardío también cuenta: reactiva esta donación.',
    },
    another_intent_paid: {
      why: 'Prometiste lo mismo dos veces, y el pago fue a la otra promesa.',
      next: 'No queda nada por hacer. El dinero está en la otra donación.',
    },
    reorganised: {
      why: 'La cadena sustituyó el bloque de este pago, así que el abono se ha retirado.',
      next: 'Se abona otra vez si el pago vuelve a la cadena. Tu cartera muestra si el dinero ha salido.',
    },
  },

  named: {
    none: {
      why: 'Enviada. Esperando un bloque.',
      next: 'Unos minutos son normales, y esta página cambia sola. Si tarda más, no conocemos en la transacción ningún pago a esta campaña: compara el hash con el de tu cartera.',
    },
    found: {
      why: 'Un bloque contiene el pago indicado, pero todavía no pertenece a esta donación.',
      next: 'Solo quien dona puede convertirlo en esta donación, en esta página.',
    },
    show: 'Mostrar el pago',
  },

  notes: {
    under: (declared, arrived) =>
      `Llegaron ${arrived}, menos que los ${declared} prometidos. Cuenta lo que llegó.`,
    over: (declared, arrived) =>
      `Llegaron ${arrived}, más que los ${declared} prometidos. Cuenta todo.`,
    other_asset: (declared, arrived) =>
      `Llegaron ${arrived} en lugar de ${declared}. Cuenta el precio de su bloque.`,
    late: 'El pago llegó tarde. Cuenta igualmente.',
    discrepancy: (declared, arrived) =>
      `Se anunciaron ${declared} y llegaron ${arrived}. Cuenta lo que llegó.`,
    replaced: 'Tu cartera sustituyó la transacción, y esta donación siguió a la nueva.',
    onChain:
      'El contrato de depósito ha registrado al donante, así que el reembolso no necesita verificadores.',
    byVerifiers:
      'El contrato de depósito no ha registrado al donante, así que sus verificadores deben firmar el reembolso.',
  },

  facts: {
    title: 'Detalles',
    promised: 'Prometido',
    arrived: 'Recibido',
    counts: 'Cuenta para la campaña',
    refund: 'Si la campaña fracasa',
    counted: (money) => `Cuenta como ${money}`,
    donor: 'Donante',
    rate: ({ one, price, isFixed }) =>
      `${one} = ${price}, ${isFixed ? 'precio fijado por este servicio' : 'precio de Chainlink en el bloque'}`,
    countsNow: 'Cuenta ahora',
    worth: 'Valor en el momento del bloque',
    anonymous: 'Anónimo',
    hidden: 'Solo lo veis tú y el creador.',
    account: 'Cuenta de la campaña',
    firstTransaction: 'Primera transacción',
    replacedBy: 'Sustituida por',
    entries: 'Asientos del libro mayor',
    seal: (number, time) => `Sello ${number}, ${time}`,
    sealKey: 'Clave del sello',
    sealHead: 'Cabecera del libro mayor',
    recorded: 'Registrada',
    number: 'Número de la donación',
  },

  refund: {
    title: 'Tu reembolso',
    collect: (money) => `El depósito devuelve dinero: recoge ${money}`,
    states: { unsigned: 'Faltan firmas', ready: 'Se puede enviar' },
    ready:
      'El contrato de depósito devuelve tu dinero. Cualquier cuenta puede enviar la transacción y solo paga la comisión de la red.',
    unsigned: (signatures) =>
      `El contrato no registró este pago, así que los verificadores deben firmar su devolución. Firmas necesarias: ${signatures}. Muestra a los verificadores que la cuenta que pagó es tuya.`,
    sent: 'Tu reembolso está en un bloque que aún no es definitivo. Esta página lo mostrará cuando lo sea.',
    done: 'El contrato de depósito ha pagado tu reembolso.',
    elsewhere:
      'Los verificadores han firmado que el contrato de depósito pague esto a otra cuenta que la del remitente que conocemos.',
    to: 'El dinero va a',
    show: 'Mostrar la transacción',
    posted: 'Enviada. Esta página mostrará tu reembolso en cuanto esté en un bloque.',
  },

  guest: {
    title: 'Has donado sin cuenta',
    keep: 'Guarda la dirección de esta página para volver a encontrar tu donación. O guarda la donación en una cuenta: por correo o con la cartera que pagó.',
    signIn: 'Entrar para guardarla',
    claim: 'Guardarla en mi cuenta',
  },

  check: {
    title: 'Compruébalo tú',
    lead: 'Tu navegador vuelve a calcular la prueba. Pregunta por el bloque a tu cartera, no a nosotros.',
    download: 'Descargar la prueba',
    keep: 'Guarda la prueba: se puede comprobar sin este sitio, también dentro de muchos años.',
  },

  receipt: {
    title: 'Recibo',
    print: 'Imprimir o guardar como PDF',
    notYet: 'Aún no es definitivo',
    notYetText: 'Esto no es un recibo. El pago está en un bloque que la cadena aún puede retirar.',
    none: 'No hay recibo.',
    noneText: 'Una donación tiene recibo cuando su pago es definitivo y está abonado.',
    number: 'Recibo',
    second: (time) => `Versión 2, sustituye a la versión 1 del ${time}`,
    issuedBy: (name) => `Emitido por ${name}`,
    operatorOf: (host) => `el operador de ${host}`,
    noGift: 'Esto no es un recibo de un donativo: se ha devuelto todo.',
    noPrice: 'Sin precio en este bloque',
    paidTo: 'Pagado a',
    escrowOf: (campaign) => `Contrato de depósito de ${campaign}`,
    isProven: 'Esta cuenta ha demostrado con su firma que es de la campaña.',
    unchecked: 'nombre sin comprobar',
    givenBy: 'Donado por',
    asWritten: 'como lo escribió el donante',
    purpose: 'Para',
    direct: 'Directo al destinatario, sin contrato de depósito',
    held: 'En un contrato hasta que los verificadores lo liberen',
    paidAt: 'Pagado (hora del bloque)',
    paidBack: 'Devuelto',
    ofAll: (back, all) => `${back} de ${all}`,
    fingerprint: 'Huella de la prueba (SHA-256)',
    noProof:
      'La prueba aún no está lista. Lo está segundos después del abono: vuelve a cargar esta página.',
    how: 'Cómo comprobar este recibo sin fiarte de nosotros',
    open: 'Escanea el código o abre {address}. La página muestra cómo está hoy la donación.',
    compare: 'Descarga allí la prueba. El SHA-256 del archivo debe ser la huella de arriba.',
    compareBack: 'La prueba es del pago de entrada; la devolución la muestra la cadena.',
    check:
      'Pulsa «Comprobar esta prueba»: tu navegador la vuelve a calcular y tu cartera da el bloque. O usa el programa abierto y tu propio nodo: {command}',
    statementBack: (money) =>
      `Este servicio nunca tuvo el dinero. Con este recibo dice que la donación se abonó y que el contrato de depósito ha devuelto ${money}. No uses más la versión 1 de este recibo.`,
    creditedAt: 'Abonada',
    of: 'Recibo de una donación',
    statement:
      'El dinero fue directamente a la cuenta de la campaña. Este servicio nunca lo tuvo. Con este recibo dice que el pago es definitivo en la cadena y está abonado en el libro mayor.',
    issued: (time) => `Emitido el ${time}`,
    back: 'Volver a la donación',
  },
}
