import type { DonationTexts } from './en.ts'

export const pt: DonationTexts = {
  title: (money, campaign) => `${money} para ${campaign}`,
  state: 'Estado da doação',
  done: {
    onItsWay: 'A caminho',
    credited: 'Creditada',
    proven: 'Provada',
    refunded: 'REEMBOLSADA',
    partly: (back, all) => `REEMBOLSADA EM PARTE, ${back} de ${all}`,
  },
  way: 'Como chegou',
  wayLength: (steps, time) => `${steps} passos, ${time}`,
  share: 'Partilhar',
  shared: 'A ligação foi copiada.',
  steps: {
    promised: 'Prometida',
    sent: 'Enviada',
    in_block: 'Num bloco',
    credited: 'Definitiva e creditada',
    sealed: 'Selada',
    proven: 'Provada',
  },
  marks: { done: 'feito', now: 'agora', next: 'mais tarde', bad: 'não aconteceu' },

  confirming: (block, minutes) => {
    if (minutes === null) {
      return `No bloco ${block}, que ainda não é definitivo. Pode fechar esta página.`
    }
    const time = minutes === 1 ? 'cerca de um minuto' : `cerca de ${minutes} minutos`
    return `No bloco ${block}. Definitiva em ${time}; pode fechar esta página.`
  },
  confirmations: (count, required) => `${count} de ${required} blocos`,
  credited: (money) => `${money} estão creditados à campanha. Obrigado.`,
  proven: 'Pode verificar a prova abaixo, sem ter de confiar em nós.',
  sealing: 'O livro-razão está a ser selado. A prova fica pronta dentro de segundos.',
  worthless:
    'O pagamento vale menos do que a menor unidade da moeda da campanha. Não conta nada e não tem prova.',
  paidBack: (money) => `O contrato de garantia devolveu ${money}, toda esta doação.`,
  partlyPaidBack: (money) => `O contrato de garantia devolveu ${money} desta doação.`,
  paidElsewhere: (money, account) =>
    `O contrato de garantia pagou ${money} desta doação a ${account}, como os seus verificadores assinaram.`,
  nextLook: (time) => `Próxima verificação: ${time}`,
  closed: 'Não pague: a campanha deixou de aceitar doações.',
  unrecorded:
    'Não pague: o contrato de garantia não registaria este pagamento, e os verificadores teriam de assinar a sua devolução.',
  reasons: {
    waiting_for_transaction: {
      why: 'Nenhum bloco mostra ainda a transação.',
      next: 'Alguns minutos são normais. Se demorar mais, acelere-a na sua carteira: esta página segue sozinha a nova transação. Pode fechá-la.',
    },
    waiting_for_payment: {
      why: 'O pagamento ainda não chegou.',
      next: 'Pague como se indica abaixo. Pode fechar esta página: um pagamento conta seja quando for que chegue, enquanto a campanha aceitar doações.',
    },
    node_unavailable: {
      why: 'Os nós a que perguntamos não respondem neste momento.',
      next: 'Nada se perde. A doação avança quando responderem.',
    },
    node_disbelieved: {
      why: 'As respostas dos nós não batem certo, por isso não as contamos.',
      next: 'Nada se perde. Perguntamos até que uma resposta se possa provar.',
    },
    waiting_for_finality_proof: {
      why: 'Os nós dizem que o bloco é definitivo, mas ainda nos faltam as assinaturas dos validadores que o provam.',
      next: 'Nada se perde. A doação avança quando tivermos esta prova, em geral em poucos minutos.',
    },
    internal_payment_unproven: {
      why: 'Este pagamento foi feito por um contrato, e a cadeia ainda não prova quanto chegou.',
      next: 'Continuamos à procura de uma prova. Se demorar mais de um dia, pergunte ao operador e indique esta doação.',
    },
    replacement_not_found: {
      why: 'Outra transação da mesma carteira tomou o lugar desta, e não a conhecemos.',
      next: 'Se a acelerou, procure o novo hash na sua carteira e registe-o em «Já paguei».',
    },
    price_unavailable: {
      why: 'O pagamento é definitivo, mas ainda não há um preço para o converter.',
      next: 'O dinheiro está seguro na conta da campanha. É creditado logo que haja um preço.',
    },
    price_stale: {
      why: 'O pagamento é definitivo, mas o preço no seu bloco é demasiado antigo para contar.',
      next: 'O dinheiro está seguro na conta da campanha. Continuamos a pedir um preço melhor.',
    },
    sequencer_down: {
      why: 'O pagamento é definitivo, mas a cadeia tinha acabado de estar em baixo, por isso os seus preços ainda não contam.',
      next: 'O dinheiro está seguro na conta da campanha. Continuamos a pedir o preço.',
    },
    transaction_reverted: {
      why: 'A transação falhou na cadeia, por isso não se moveu dinheiro.',
      next: 'Só se perdeu a taxa. Pode doar outra vez.',
    },
    wrong_recipient: {
      why: 'A transação pagou a outra conta, não à desta campanha.',
      next: 'Veja na sua carteira para onde foi o dinheiro. Nós não o podemos recuperar.',
    },
    unknown_token: {
      why: 'A transação pagou num token que esta campanha não aceita.',
      next: 'O token está na conta da campanha, mas não conta. Peça ao criador, ou aos verificadores de um contrato de garantia, que o devolva.',
    },
    no_such_transfer: {
      why: 'A transação não contém esse pagamento a esta campanha.',
      next: 'Compare o hash com a sua carteira. Se era outro, registe a doação de novo.',
    },
    ledger_address_mismatch: {
      why: 'A transação não tem nenhum pagamento do endereço indicado nem para ele.',
      next: 'Registe a doação de novo com a carteira que pagou.',
    },
    transfer_before_campaign: {
      why: 'O pagamento é anterior à campanha.',
      next: 'Não pode contar. Pergunte ao criador, ou aos verificadores de um contrato de garantia: o dinheiro está na conta da campanha.',
    },
    transfer_already_claimed: {
      why: 'Este pagamento já pertence a outra doação.',
      next: 'Se o pagamento é seu, entre com a carteira que pagou e registe-o de novo em «Já paguei»: a doação passa a ser sua.',
    },
    block_unsupported: {
      why: 'O pagamento está num bloco que este serviço não consegue provar.',
      next: 'Pergunte ao operador e indique esta doação.',
    },
    returned_in_transaction: {
      why: 'O dinheiro voltou a sair da conta da campanha na mesma transação.',
      next: 'Não resta nada que possa contar. Pode doar outra vez.',
    },
    transaction_replaced: {
      why: 'A sua carteira substituiu a transação por outra, que não paga a esta campanha.',
      next: 'A campanha não recebeu dinheiro dela. Pode doar outra vez.',
    },
    moved_to_wallet_owner: {
      why: 'O pagamento conta agora como doação do titular da carteira que pagou.',
      next: 'Se a carteira é sua, entre com ela para ver a doação.',
    },
    cancelled: {
      why: 'A promessa foi cancelada antes de chegar um pagamento.',
      next: 'Se chegou a pagar, registe o pagamento em «Já paguei».',
    },
    asset_not_escrowed: {
      why: 'O contrato de garantia desta campanha guarda uma moeda diferente da que foi paga.',
      next: 'O pagamento não conta. Quando a campanha terminar, os seus verificadores podem devolvê-lo.',
    },
    campaign_failed: {
      why: 'O contrato de garantia da campanha tinha falhado antes deste pagamento.',
      next: 'O pagamento não conta. Os verificadores da campanha têm de assinar a sua devolução.',
    },
    never_seen: {
      why: 'Nenhum nó mostrou a transação em todo o tempo que esperámos.',
      next: 'Se entrar mais tarde num bloco, a doação avança sozinha. A sua carteira mostra o que foi feito dela.',
    },
    payment_not_received: {
      why: 'Nenhum pagamento chegou a tempo.',
      next: 'Um pagamento tardio também conta: faz reviver esta doação.',
    },
    another_intent_paid: {
      why: 'Prometeu o mesmo duas vezes, e o pagamento foi para a outra promessa.',
      next: 'Não há mais nada a fazer. O dinheiro está na outra doação.',
    },
    reorganised: {
      why: 'A cadeia substituiu o bloco deste pagamento, por isso o crédito foi retirado.',
      next: 'É creditado de novo se o pagamento voltar à cadeia. A sua carteira mostra se o dinheiro saiu.',
    },
  },

  named: {
    none: {
      why: 'Enviada. À espera de um bloco.',
      next: 'Alguns minutos são normais, e esta página muda sozinha. Se demorar mais, não conhecemos na transação nenhum pagamento a esta campanha: compare o hash com o da sua carteira.',
    },
    found: {
      why: 'Um bloco contém o pagamento indicado, mas ele ainda não pertence a esta doação.',
      next: 'Só quem doa pode fazer dele esta doação, nesta página.',
    },
    show: 'Mostrar o pagamento',
  },

  notes: {
    under: (declared, arrived) =>
      `Chegaram ${arrived}, menos do que os ${declared} prometidos. Conta o que chegou.`,
    over: (declared, arrived) =>
      `Chegaram ${arrived}, mais do que os ${declared} prometidos. Conta tudo.`,
    other_asset: (declared, arrived) =>
      `Chegaram ${arrived} em vez de ${declared}. Conta o preço do seu bloco.`,
    late: 'O pagamento chegou tarde. Conta na mesma.',
    discrepancy: (declared, arrived) =>
      `Foram anunciados ${declared}, e chegaram ${arrived}. Conta o que chegou.`,
    replaced: 'A sua carteira substituiu a transação, e esta doação seguiu a nova.',
    onChain:
      'O contrato de garantia registou o doador, por isso o reembolso dispensa verificadores.',
    byVerifiers:
      'O contrato de garantia não registou o doador, por isso os seus verificadores têm de assinar o reembolso.',
  },

  facts: {
    title: 'Detalhes',
    promised: 'Prometido',
    arrived: 'Recebido',
    counts: 'Conta para a campanha',
    refund: 'Se a campanha falhar',
    counted: (money) => `Conta como ${money}`,
    donor: 'Doador',
    rate: ({ one, price, isFixed }) =>
      `${one} = ${price}, ${isFixed ? 'preço fixado por este serviço' : 'preço da Chainlink no bloco'}`,
    countsNow: 'Conta agora',
    worth: 'Valor no momento do bloco',
    anonymous: 'Anónimo',
    hidden: 'Só a veem o doador e o criador.',
    account: 'Conta da campanha',
    firstTransaction: 'Primeira transação',
    replacedBy: 'Substituída por',
    entries: 'Lançamentos do livro-razão',
    seal: (number, time) => `Selo ${number}, ${time}`,
    sealKey: 'Chave do selo',
    sealHead: 'Cabeça do livro-razão',
    recorded: 'Registada',
    number: 'Número da doação',
  },

  refund: {
    title: 'O seu reembolso',
    collect: (money) => `A garantia devolve dinheiro: receba ${money}`,
    states: { unsigned: 'Faltam assinaturas', ready: 'Pode ser enviado' },
    ready:
      'O contrato de garantia devolve o seu dinheiro. Qualquer conta pode enviar a transação e paga só a taxa da rede.',
    unsigned: (signatures) =>
      `O contrato não registou este pagamento, por isso os verificadores têm de assinar a sua devolução. Assinaturas necessárias: ${signatures}. Mostre aos verificadores que a conta que pagou é sua.`,
    sent: 'O seu reembolso está num bloco que ainda não é definitivo. Esta página mostra-o assim que o for.',
    done: 'O contrato de garantia pagou o seu reembolso.',
    elsewhere:
      'Os verificadores assinaram que o contrato de garantia paga isto a outra conta que não a do remetente que conhecemos.',
    to: 'O dinheiro vai para',
    show: 'Mostrar a transação',
    posted: 'Enviada. Esta página mostrará o seu reembolso assim que estiver num bloco.',
  },

  guest: {
    title: 'Doou sem conta',
    keep: 'Guarde o endereço desta página para reencontrar a sua doação. Ou guarde a doação numa conta: por e-mail, ou com a carteira que pagou.',
    signIn: 'Entrar para a guardar',
    claim: 'Guardá-la na minha conta',
  },

  check: {
    title: 'Verifique por si',
    lead: 'O seu navegador volta a calcular a prova. Pergunta pelo bloco à sua carteira, não a nós.',
    download: 'Descarregar a prova',
    keep: 'Guarde a prova: pode ser verificada sem este site, mesmo daqui a muitos anos.',
  },

  receipt: {
    title: 'Recibo',
    print: 'Imprimir ou guardar como PDF',
    notYet: 'Ainda não é definitivo',
    notYetText: 'Isto não é um recibo. O pagamento está num bloco que a cadeia ainda pode retirar.',
    none: 'Não há recibo.',
    noneText: 'Uma doação tem recibo quando o seu pagamento é definitivo e está creditado.',
    number: 'Recibo',
    second: (time) => `Versão 2, substitui a versão 1 de ${time}`,
    issuedBy: (name) => `Emitido por ${name}`,
    operatorOf: (host) => `o operador de ${host}`,
    noGift: 'Isto não é um recibo de um donativo: foi tudo devolvido.',
    noPrice: 'Sem preço neste bloco',
    paidTo: 'Pago a',
    escrowOf: (campaign) => `Contrato de garantia de ${campaign}`,
    isProven: 'Esta conta provou com a sua assinatura que é da campanha.',
    unchecked: 'nome não verificado',
    givenBy: 'Doado por',
    asWritten: 'como o doador escreveu',
    purpose: 'Para',
    direct: 'Diretamente ao beneficiário, sem contrato de garantia',
    held: 'Guardado por um contrato até que verificadores o libertem',
    paidAt: 'Pago (hora do bloco)',
    paidBack: 'Devolvido',
    ofAll: (back, all) => `${back} de ${all}`,
    fingerprint: 'Impressão digital da prova (SHA-256)',
    noProof:
      'A prova ainda não está pronta. Fica pronta segundos depois do crédito: carregue de novo esta página.',
    how: 'Como verificar este recibo sem confiar em nós',
    open: 'Leia o código ou abra {address}. A página mostra a doação como está hoje.',
    compare: 'Descarregue lá a prova. O SHA-256 do ficheiro tem de ser a impressão digital acima.',
    compareBack: 'A prova é do pagamento recebido; a cadeia mostra a devolução.',
    check:
      'Carregue em «Verificar esta prova»: o seu navegador volta a calculá-la, e a sua carteira indica o bloco. Ou use o programa aberto e o seu próprio nó: {command}',
    statementBack: (money) =>
      `Este serviço nunca teve o dinheiro. Com este recibo diz que a doação foi creditada e que o contrato de garantia devolveu ${money}. Não use mais a versão 1 deste recibo.`,
    creditedAt: 'Creditada',
    of: 'Recibo de uma doação',
    statement:
      'O dinheiro foi diretamente para a conta da campanha. Este serviço nunca o teve. Com este recibo diz que o pagamento é definitivo na cadeia e está creditado no livro-razão.',
    issued: (time) => `Emitido em ${time}`,
    back: 'Voltar à doação',
  },
}
