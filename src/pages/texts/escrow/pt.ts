import type { EscrowTexts } from './en.ts'

export const pt: EscrowTexts = {
  title: 'Garantia',
  intro:
    'Um contrato na cadeia guarda o dinheiro desta campanha. Paga uma etapa quando os verificadores a assinaram e, se a campanha falhar, os doadores podem receber o dinheiro de volta. A Fundproof não tem nenhuma chave. O contrato não foi auditado: não dê mais do que pode perder.',
  states: {
    funding: {
      title: 'A garantia está a reunir dinheiro.',
      text: 'Nada é libertado antes de o objetivo ser atingido. Se não for atingido a tempo, os doadores podem receber tudo de volta.',
    },
    active: {
      title: 'O objetivo foi atingido.',
      text: 'Agora os verificadores decidem sobre cada etapa. Os doadores podem receber de volta o que não for libertado a tempo.',
    },
    done: {
      title: 'Todas as etapas foram libertadas.',
      text: 'O trabalho da garantia está feito.',
    },
  },
  reasons: {
    surplus: 'Todas as etapas foram libertadas, e os doadores dividem o que resta.',
    target_missed: 'O objetivo não foi atingido a tempo.',
    expired: 'O prazo para libertações terminou.',
    cancelled: 'O criador cancelou a campanha.',
    terminated: 'Os verificadores puseram fim à campanha.',
  },

  audit: 'Sem auditoria: não dê mais do que pode perder.',
  straight:
    'O criador tem o dinheiro de imediato e fica com ele mesmo abaixo do objetivo. Sem reembolso.',
  money: {
    title: 'Onde está o dinheiro',
    refundable: 'A reembolsar agora',
    sum: ({ parts, total }) => `${parts} = ${total}, tudo o que entrou.`,
    unassigned: (money) => `${money} desta soma não pertencem a nenhuma doação creditada.`,
    releasedNone: 'Nenhuma etapa foi libertada.',
    releasedSome: ({ paid, all }) => `Etapas libertadas: ${paid} de ${all}.`,
    lockedNone: 'Não resta nada no contrato.',
    lockedFunding: 'O contrato não liberta nada antes de o objetivo ser atingido.',
    lockedFor: (money) => `${money} são para etapas que ainda não foram libertadas.`,
    lockedAbove: {
      recipient: (money) =>
        `${money} acima das etapas vão para o destinatário depois da última etapa.`,
      donors: (money) =>
        `${money} acima das etapas voltam para os doadores depois da última etapa.`,
    },
    ifMissed: (day) =>
      `Se o objetivo não for atingido até ${day}, os doadores podem receber tudo de volta.`,
    ifUnpaid: (day) => `Os doadores podem receber de volta o que não for libertado até ${day}.`,
    collect:
      'Para cada reembolso, uma pessoa envia uma transação e paga a taxa da rede. As transferências simples precisam também de assinaturas de verificadores.',
    due: 'O prazo terminou: qualquer pessoa pode abrir os reembolsos.',
    owedNone: 'Nada é devido aos doadores.',
    collectable: (money) => `${money} podem ser recebidos agora.`,
    unsigned: (money) =>
      `${money} chegaram por transferência simples e precisam primeiro de assinaturas de verificadores.`,
    dust: 'Um resto do arredondamento. Nenhum doador o pode receber.',
    backNone: 'Ainda nada foi reembolsado.',
    backSome: 'Foi para os doadores, ou para contas que os verificadores assinaram.',
  },
  ended: {
    waiting: {
      title: 'Receba a sua parte de volta.',
      text: ({ owed, back }) =>
        `${owed} ${back} já foram reembolsados. Abra a sua doação para ver como recebe a sua parte. Não dê mais.`,
      find: 'Doei sem este site: encontrar o meu reembolso',
    },
    everything: 'Não resta nada a reembolsar.',
    paid: ({ back, total }) => `A garantia reembolsou ${back} de ${total}. Não dê mais.`,
    empty: {
      title: 'A campanha terminou antes de entrar dinheiro.',
      text: 'Não há nada a reembolsar. Não envie dinheiro.',
    },
  },

  terms: 'Condições',
  termsNote:
    'O endereço do contrato é calculado a partir destas condições, por isso ninguém as pode mudar.',
  contract: 'Contrato',
  notDeployed: 'Ainda não está na cadeia. Já pode receber dinheiro, porque as condições são fixas.',
  recipient: 'Destinatário',
  recipientNote: 'A única conta a que as etapas são pagas. Só ela pode cancelar.',
  token: 'Token',
  deadline: 'Doações até',
  deadlineNote:
    'As doações terminam também com a primeira libertação. Não pague depois: o contrato já não regista doadores, e os verificadores têm de assinar a devolução.',
  activateBy: 'Objetivo atingido até',
  activateByNote: 'Se o contrato não for ativado até lá, devolve o dinheiro.',
  expiry: 'Libertações até',
  expiryNote: 'Os doadores podem receber de volta o que restar depois.',
  verifiers: 'Verificadores',
  verifiersNote:
    'Cada verificador sozinho pode parar todas as etapas até ao fim do prazo das libertações. Então os doadores podem receber o dinheiro de volta.',
  quorum: 'Verificadores necessários para terminar a campanha ou assinar devoluções',
  quorumOf: (quorum, verifiers) => `${quorum} de ${verifiers}`,
  surplus: 'Dinheiro que sobra',
  surplusTo: { recipient: 'vai para o destinatário', donors: 'volta para os doadores' },
  codeProven: 'Código provado desde',
  codeNotProven: 'ainda não provado',

  oneVerifier: (money) =>
    `Um único verificador pode libertar ${money}, com uma assinatura por cada etapa.`,
  alsoLeft: 'Depois, o destinatário recebe também o que sobra.',
  milestone: 'Etapa',
  signatures: 'Assinaturas necessárias',

  refunds: 'Reembolsos',
  assetReturns:
    'As transferências noutra moeda são devolvidas quando verificadores suficientes assinaram a devolução.',
  search: {
    lead: 'Pagou ao contrato sem usar este site? Então procure com a conta que pagou.',
    account: 'Endereço da conta que pagou',
    find: 'Encontrar o meu reembolso',
    none: 'Não conhecemos nenhum reembolso desta conta.',
    roads: { on_chain: 'Doações registadas', by_verifiers: 'Transferência simples' },
  },

  transactions: 'Transações que podem ser enviadas agora',
  transactionsIntro:
    'Quem envia paga apenas a taxa da rede. O dinheiro vai para o destinatário ou para as contas dos reembolsos.',
  noTransactions: 'Nenhuma transação é possível agora.',
  actions: {
    deploy: {
      title: 'Pôr o contrato na cadeia',
      text: 'Qualquer conta a pode enviar. Não muda nada nas condições.',
    },
    activate: {
      title: 'Ativar a garantia',
      text: 'Necessária se a última parte do objetivo chegou por transferência simples. Qualquer conta a pode enviar.',
    },
    close: {
      title: 'Abrir os reembolsos',
      text: 'Depois desta transação os doadores recebem o que resta. Qualquer conta a pode enviar.',
    },
    cancel: {
      title: 'Cancelar a campanha',
      text: 'Só o destinatário a pode enviar. Os doadores recebem o que resta. Não pode ser desfeita.',
    },
    releaseSurplus: {
      title: 'Pagar o que resta ao destinatário',
      text: 'Todas as etapas foram libertadas. Qualquer conta a pode enviar.',
    },
    release: {
      title: 'Libertação',
      text: 'Os verificadores assinaram esta etapa. O dinheiro vai para o destinatário. Qualquer conta a pode enviar.',
    },
  },

  transaction: {
    data: 'Dados da transação',
    chain: 'Rede',
    to: 'Para',
    payload: 'Dados',
    value: 'Valor',
    from: 'De',
    validUntil: 'Válida até',
    call: (number) => `Transação ${number}`,
    works: 'Um nó experimentou-a: funciona agora. Taxa da rede: {fee}.',
    fails: 'Um nó experimentou-a: falharia agora.',
    untried: 'Nenhum nó a conseguiu experimentar agora.',
  },
  send: {
    send: 'Enviar com a minha carteira',
    choose: 'Que carteira a deve enviar?',
    browserWallet: 'Carteira do navegador',
    working: 'Confirme na sua carteira. Se não vir nada, clique no ícone da carteira.',
    sent: 'Enviada. Quando o bloco for definitivo, os montantes acima mudam sozinhos.',
    again: 'Tentar de novo',
    problems: {
      rejected: 'Rejeitou-a na sua carteira. Nada foi enviado.',
      busy: 'A sua carteira tem um pedido aberto. Clique no ícone, responda-lhe e tente de novo.',
      locked:
        'A sua carteira está bloqueada ou não mostra nenhuma conta. Desbloqueie-a e tente de novo.',
      offline: 'A sua carteira não está ligada à sua rede. Tente de novo.',
      'unknown-chain': 'A sua carteira usa outra rede. Escolha nela a rede certa e tente de novo.',
      'no-fee-funds': 'A sua carteira não tem o suficiente para a taxa da rede.',
      unsupported: 'A sua carteira não consegue fazer isto.',
      failed: 'A carteira não a conseguiu enviar. Nada foi enviado, ou a transação falhou.',
      'no-wallet':
        'Não há nenhuma carteira neste navegador. Abra esta página no navegador de uma aplicação de carteira, ou envie os dados da transação de outra forma.',
      'wrong-account':
        'Na sua carteira está escolhida outra conta. Só a conta em «De» a pode enviar.',
    },
  },
}
