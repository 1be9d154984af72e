import type { DonateTexts } from './en.ts'

export const pt: DonateTexts = {
  title: (campaign) => `Doar a ${campaign}`,
  errors: 'Verifique isto',
  cancelled: 'A doação está cancelada. Não pagou nada.',
  refusals: {
    amount: 'Introduza um montante, por exemplo 25 ou 12,50.',
    currency: 'Esta campanha não aceita esta moeda.',
    wallet: 'Introduza o endereço da carteira: 0x e 40 letras ou algarismos.',
    walletName:
      'Nomes como jonas.eth não funcionam aqui. Introduza o próprio endereço: 0x e 40 letras ou algarismos. A sua carteira mostra-o onde recebe dinheiro.',
    ownAccount: 'Esta é a conta da própria campanha. Introduza a carteira que paga.',
    name: 'O nome tem no máximo 80 caracteres, sem quebras de linha.',
    message: 'A mensagem tem no máximo 280 caracteres, sem quebras de linha.',
    transaction: 'Introduza o hash de uma transação: 0x e 64 letras ou algarismos.',
    closed: 'Esta campanha não aceita doações agora.',
    blocked: 'A lei proíbe-nos de participar em transferências com esta carteira.',
    tooMany:
      'Já há demasiadas doações à espera de um pagamento desta carteira. Pague ou cancele uma delas, ou entre com a carteira.',
    limited: 'Vieram demasiadas doações da sua rede. Tente de novo dentro de alguns minutos.',
    unverified: 'Confirme primeiro o seu endereço de e-mail. Enviámos-lhe um código.',
    claimed: 'Outra doação já tem este pagamento. Se o enviou, entre com a carteira que pagou.',
    early: 'Este pagamento é anterior à campanha, por isso não é uma doação para ela.',
    unknownPayment:
      'Nenhum bloco que conhecemos contém ainda este pagamento. Introduza o montante e a carteira, e nós procuramo-lo.',
    paidOrCancelled: 'Esta doação já está paga ou cancelada.',
    unavailable:
      'Não o podemos verificar agora. Nada se perdeu. Tente de novo dentro de um minuto.',
    other: 'Não funcionou. Verifique o formulário e tente de novo.',
  },
  currency: 'Moeda',
  suggestions: 'Montantes sugeridos',
  countsAs: (other, currency) =>
    `${other} conta em ${currency}, ao preço do bloco que contém o seu pagamento.`,
  rate: ({ one, about }) => `${one} vale agora cerca de ${about}.`,
  dollar: (one) => `USDC é dinheiro numa blockchain. ${one} vale cerca de 1 dólar americano.`,
  exchange:
    'O seu dinheiro está numa corretora? Passe-o primeiro para a sua própria carteira: uma corretora paga de uma carteira que não é sua, e não reconheceríamos o seu pagamento.',
  optional: '(opcional)',
  slow: {
    text: 'O servidor não responde há 8 segundos. Pode ter recebido o que enviou.',
    again: 'Abrir a página de novo',
  },
  words: 'As suas palavras',
  name: 'Nome',
  message: 'Mensagem',
  wordsHint: 'Todos podem ler ambos. Deixe os dois vazios para ficar anónimo.',
  alreadyPaid: 'Já paguei',
  closed: {
    title: 'Esta campanha não aceita doações agora',
    what: 'Não envie dinheiro para a sua conta.',
    escrow:
      'O contrato de garantia desta campanha já não regista doações. Não lhe envie dinheiro: os verificadores teriam de assinar a sua devolução.',
  },
  summary: {
    title: 'A sua doação vai para',
    raised: ({ raised, target }) => `${raised} de ${target} angariados`,
    account: 'Conta',
    network: 'Rede',
    direct: 'O dinheiro vai diretamente para esta conta. A Fundproof nunca o detém.',
    escrow: ({ deadline }) =>
      `Um contrato de garantia guarda o dinheiro até os verificadores aprovarem uma etapa. Se o objetivo não for atingido até ${deadline}, os doadores podem recebê-lo de volta.`,
  },
  copy: { address: 'Copiar o endereço', amount: 'Copiar o montante', copied: 'Copiado' },
  panel: ({ network, networkId, coin, account }) => ({
    legend: 'Como quer pagar?',
    looking: 'À procura de carteiras neste navegador…',
    noWallet:
      'Este navegador não tem carteira. Uma carteira é uma aplicação ou extensão que guarda o seu dinheiro.',
    byPhone:
      'Introduza o endereço da sua carteira. A página seguinte abre uma aplicação de carteira neste telemóvel, ou mostra um código para outro dispositivo.',
    openIn: 'Abra esta página no navegador de uma aplicação de carteira:',
    ownWallet:
      'Pague a partir da sua própria carteira. O contrato de garantia regista-o, e um reembolso não precisa da assinatura de ninguém. O seu dinheiro está numa corretora? Passe-o primeiro para a sua própria carteira, porque uma transferência de uma corretora volta para a corretora.',
    browserWallet: 'Carteira do navegador',
    phone: 'Aplicação de carteira ou outro dispositivo',
    phoneHint:
      'Recebe uma ligação para uma aplicação de carteira, um código para ler e todos os dados em texto.',
    address: 'Endereço da carteira que paga',
    addressHint:
      'Começa por 0x; um nome como jonas.eth não funciona. É por este endereço que reconhecemos o seu pagamento.',
    button: {
      show: 'Ver como pagar',
      connect: 'Ligar {wallet}',
      connecting: 'À espera de {wallet}…',
      switch: `Mudar para ${network}`,
      switching: 'À espera de {wallet}…',
      pay: 'Doar {amount}',
      checking: 'A verificar o saldo…',
      intent: 'A registar a sua doação…',
      confirm: 'Confirme em {wallet}…',
      sent: 'Enviado',
    },
    cancel: 'Deixar de esperar',
    startAgain: 'Cancelar e recomeçar',
    connected: 'Ligado com {from}.',
    switchHint: `A sua carteira usa outra rede. Esta campanha está em ${network}.`,
    confirmHint: `Verifique se a sua carteira mostra {amount} e confirme. O dinheiro vai para ${account}.`,
    slow: 'A sua carteira tem um pedido em aberto. Clique no ícone da carteira no seu navegador.',
    unanswered: 'Não há resposta há 8 segundos. Não pagou nada. Espere, ou pare e tente de novo.',
    sent: 'O seu pagamento foi enviado. A página da sua doação abre agora.',
    signers:
      'A sua carteira é um contrato, por isso outras pessoas podem ter de confirmar. Pode fechar esta página: a sua doação conta quando um bloco tiver o pagamento.',
    toDonation: 'Ver a sua doação',
    problems: {
      rejected: 'Recusou na sua carteira. Não pagou nada. Pode tentar de novo.',
      busy: 'A sua carteira tem um pedido mais antigo em aberto. Clique no ícone dela, responda ao pedido e tente de novo.',
      locked:
        'A sua carteira está bloqueada ou não mostra nenhuma conta. Desbloqueie-a e tente de novo.',
      offline: 'A sua carteira não tem ligação à rede. Verifique a carteira e tente de novo.',
      'unknown-chain': `A sua carteira não mudou de rede. Escolha ${network} (rede ${networkId}) na carteira e prima o botão outra vez.`,
      'no-fee-funds': `Esta conta precisa de algum ${coin} para a taxa da rede. Não pagou nada.`,
      unsupported: 'A sua carteira não consegue fazer isto. Escolha outra carteira.',
      failed: 'A carteira comunicou um erro. Veja na carteira se ela enviou algum pagamento.',
      'no-funds': 'Esta conta não tem {currency} suficiente. Não pagou nada.',
      'wrong-account':
        'Esta doação espera um pagamento de {from}. Escolha esta conta na sua carteira ou recomece.',
      'perhaps-paid':
        'Este pagamento já foi pedido à sua carteira, e esta página não viu a resposta. Veja primeiro na sua carteira. Prima de novo o botão só se ela não tiver enviado nada.',
      blocked:
        'A lei proíbe-nos de participar em transferências com esta carteira. Não pagou nada.',
      closed: 'Esta campanha acabou de deixar de aceitar doações. Não pagou nada.',
      'too-many':
        'Já há demasiadas doações à espera de um pagamento desta carteira. Pague ou cancele primeiro uma delas.',
      limited: 'Vieram demasiadas doações da sua rede. Tente de novo dentro de alguns minutos.',
      refused: 'Verifique o que introduziu. Não pagou nada.',
      unreachable:
        'Não é possível contactar-nos agora. Não pagou nada. Tente de novo dentro de um minuto.',
    },
    walletSays: 'Mais sobre este erro',
  }),
  escrow: {
    before: ({ isFirst }) =>
      `A página seguinte lista cada pedido da sua carteira, com a sua taxa, antes de ela perguntar. Você paga as taxas da rede.${isFirst ? ' O contrato ainda não está na cadeia, por isso também paga por isso.' : ''} A Fundproof não cobra nada.`,
    next: 'Seguinte: ver o que a carteira pede',
    confirmHint:
      'Compare cada pedido da sua carteira com a lista acima. Recuse o que for diferente.',
    rejected:
      'Recusou na sua carteira. Não deu nada. Só se gastaram as taxas dos pedidos que confirmou antes.',
    title: (count) =>
      count === 1 ? 'A sua carteira pergunta uma vez' : `A sua carteira pergunta ${count} vezes`,
    lead: 'Recuse o que for diferente do que lê aqui. Até confirmar o último pedido, não deu nada.',
    of: ({ step, all }) => `Pedido ${step} de ${all}`,
    kinds: {
      permission: {
        title: 'Assinar uma autorização',
        what: 'Permite à garantia, e a nenhuma outra conta, tirar este montante uma vez.',
      },
      deploy: {
        title: 'Pôr o contrato na cadeia',
        what: 'Ainda não está na cadeia, por isso também paga por isso. As condições já são fixas.',
      },
      approve: {
        title: 'Autorizar o montante',
        what: 'Permite à garantia, e a nenhuma outra conta, tirar este montante.',
      },
      give: {
        title: 'Dar',
        what: 'A garantia recebe o dinheiro e regista-o como doador. Se a campanha falhar, pode receber a sua parte de volta, e nenhum verificador tem de assinar.',
      },
      batch: {
        title: 'Dar com um pedido',
        what: 'A sua carteira envia estas chamadas em conjunto. A garantia recebe o dinheiro e regista-o como doador.',
      },
    },
    moves: (amount) => `Move ${amount}.`,
    movesNone: 'Não move dinheiro.',
    fee: 'Taxa da rede:',
    noFee: 'Sem taxa.',
    shows: 'A sua carteira mostra',
    kind: 'Tipo',
    signature: 'Pedido de assinatura',
    transaction: 'Transação',
    calls: 'Várias chamadas num pedido',
    action: 'Ação',
    to: 'Para',
    value: 'Valor',
    limit: 'Limite',
    until: 'Válido até',
    parties: { escrow: 'a garantia', factory: 'a fábrica de garantias', token: 'o token' },
    units: (amount) => `São ${amount}, nas unidades mais pequenas do token.`,
    inside: (amount) => `Os ${amount} movem-se dentro da chamada.`,
    costs: {
      title: 'Quanto custa',
      donation: 'Doação',
      network: 'Taxas da rede, pagas por si',
      own: 'Taxa da Fundproof',
      none: 'nenhuma',
      note: 'As taxas são uma estimativa. A sua carteira mostra-as antes de confirmar.',
    },
    gas: (gas) => `cerca de ${gas} de gas`,
    about: (fee) => `cerca de ${fee}`,
  },
  whoseTitle: 'Se outra pessoa indicar o meu pagamento',
  whose:
    'Um pagamento pertence à primeira pessoa que indicou aqui a sua carteira ou o seu hash. Depois disso, só duas coisas o movem: a ligação de um convidado ou uma assinatura da carteira que pagou.',
  how: {
    title: 'Como pagar',
    send: ({ amount, network }) =>
      `Envie exatamente ${amount} em ${network}. A doação conta quando o pagamento for definitivo.`,
    contested: ({ amount }) =>
      `Outra doação também espera um pagamento desta carteira. Envie exatamente ${amount}, com todos os algarismos. Se o seu pagamento contar para a outra doação, entre com a carteira que pagou e registe o pagamento em «Já paguei».`,
    fromWallet: 'É por esta carteira que reconhecemos o seu pagamento.',
    fromNamed: 'A carteira que foi indicada quando esta doação foi registada',
    token: 'Token',
    account: 'Para a conta',
    wallet: 'Da carteira',
    notSent: 'Ainda não enviou? Como pagar',
    openPhone: 'Abrir numa carteira neste telemóvel',
    checkThere: ({ amount, account, network }) =>
      `Verifique lá: ${amount} para ${account} em ${network}.`,
    openApp: (name) => `Abrir ${name}`,
    scan: 'Ler com outro dispositivo',
    open: 'Abrir numa carteira neste dispositivo',
    check: ({ amount, account }) =>
      `Algumas carteiras leem mal os códigos. Verifique se a sua mostra ${amount} para ${account}.`,
    codeLabel: ({ amount, account, network }) =>
      `Código para um pagamento de ${amount} a ${account} em ${network}`,
    bareTitle: 'A minha carteira não entende o código',
    bare: ({ amount, network }) =>
      `Este código tem apenas a conta. Escolha ${network} na sua carteira e introduza ${amount}.`,
    bareLabel: ({ account }) => `Código da conta ${account}`,
    panelTitle: 'Pagar com uma carteira neste navegador',
    hashTitle: 'Já enviei o pagamento',
    hashHint:
      'Só é preciso se pagou de outra carteira ou se o pagamento não aparecer aqui sozinho.',
    hash: 'Hash da transação',
    hashButton: 'Guardar o hash',
    cancel: 'Cancelar esta doação',
    cancelHint: 'Apenas se não pagou.',
  },
  offered: {
    found: 'Encontrámos este pagamento.',
    from: ({ money, sender, block }) => `${money} de ${sender}, no bloco ${block}.`,
    named: (wallet) => `Tinha indicado ${wallet}.`,
    second: (money) => `Um segundo pagamento de ${money} não está atribuído.`,
    sameWallet: (block) =>
      `Veio da mesma carteira, no bloco ${block}. A campanha tem o dinheiro, mas ainda não conta como doação.`,
    onlyYours:
      'Faça-o só se foi você que o enviou: uma corretora paga por muitas pessoas a partir de uma carteira.',
    take: 'Fazer dele esta doação',
    add: 'Adicionar como minha doação',
    see: 'Ver o pagamento',
  },
  paid: {
    title: (campaign) => `Já pagou a ${campaign}?`,
    lead: 'Indique-nos a transação, e ela passa a ser a sua doação.',
    transaction: 'Transação',
    transactionHint: 'O hash dela, ou o endereço dela num explorador de blocos.',
    notInBlockHint: 'Só é preciso se nenhum bloco tiver ainda o pagamento.',
    wallet: 'Carteira que pagou',
    button: 'Encontrar o meu pagamento',
    seeDonation: 'Ver esta doação',
    claimLink: 'Entrar com a carteira que pagou',
  },
}
