import type { CheckPageTexts } from './en.ts'

export const pt: CheckPageTexts = {
  title: 'Verificar uma prova',
  lead: 'O seu navegador volta a calcular a prova. O ficheiro fica no seu computador, e o bloco vem da sua carteira, de um explorador ou dos validadores da cadeia, nunca de nós.',
  alone: {
    title: 'Sem este site',
    text: 'Esta página vem do serviço de que trata a prova. Pode passar sem ela: o programa é aberto e só precisa da prova, das chaves e de um nó da sua confiança ou de um ponto de controlo.',
    keys: 'As chaves deste serviço',
  },
  island: {
    start: 'Verificar esta prova',
    again: 'Verificar de novo',
    reading: 'A ler a prova…',
    asking: 'A perguntar a {names} pelo bloco {block}…',
    notReady:
      'A prova ainda não está pronta. Fica pronta poucos segundos depois do crédito. Esta página volta a perguntar sozinha.',
    slow: 'Demora mais do que o normal. Pode fechar esta página e voltar: nada se perde.',
    alone: 'Continuar sem resposta',
    noAnswer: 'Não foi possível carregar a prova. Verifique a ligação e tente de novo.',
    noJavaScript:
      'A verificação no navegador precisa de JavaScript. Sem ele, descarregue a prova e verifique-a com o programa.',
    verdicts: {
      proven: 'Todos os passos estão certos.',
      needs_hash:
        'Obtenha o hash do bloco {block} da sua carteira ou de um explorador, não de nós.',
      other_block:
        'Segundo {source}, o bloco {block} tem outro hash: {hash}. Ou a cadeia substituiu o bloco, ou a prova está errada.',
      unknown_key:
        'O pagamento na cadeia está provado. O crédito não: a sua chave não é deste site. Um ficheiro de chaves só o prova se souber por si que a chave é do serviço.',
      other_key:
        'Esta prova foi assinada por uma chave que não está no seu ficheiro. Não confie nela.',
      lower_level:
        'Tudo está certo, mas aqui a cadeia prova menos do que a própria transação. A decisão se isso chega é sua.',
      other_donation: 'Esta é a prova de outra doação, não da que está nesta página.',
      other_history:
        'O seu ficheiro indica outra cabeça para o mesmo selo. O serviço alterou o livro-razão depois de o ter guardado.',
      no_signatures:
        'Este navegador não consegue verificar a assinatura. Use um navegador atual e um endereço com https, ou o programa.',
      not_a_proof: 'Isto não é uma prova que esta página consiga ler.',
      failed: 'Veja abaixo que passo falha.',
    },
    titles: {
      proven: 'A doação está provada.',
      needs_hash: 'Falta uma coisa: o hash do bloco.',
      open: 'A doação ainda não está provada.',
      wrong: 'A doação NÃO está provada.',
    },
    says: {
      proven: 'O que o seu navegador provou',
      soFar: 'O que está certo até agora',
      paid: '{amount} foram de {sender} para {account}.',
      arrived: '{amount} chegaram a {account}. A cadeia não mostra de quem.',
      onlyIf: 'Isto vale se o bloco {block} for como diz a prova.',
      block: 'O pagamento está no bloco {block} de {chain}. Fonte do hash desse bloco: {names}.',
      credit:
        'O livro-razão deste serviço credita-o uma só vez, a {campaign}, e o serviço assinou isso.',
      campaign: 'esta campanha',
      trusted: 'Em quem confiou',
      trust: 'Confiou em: {list}.',
      keep: 'Um ficheiro que guardou noutro dia dispensa a palavra deste site.',
      others: 'O que só outra fonte sabe',
    },
    stepsTitle: 'Os {count} passos',
    stepsHeld: '{held} de {count} certos',
    steps: {
      format: 'O ficheiro é uma prova completa',
      header: 'O cabeçalho pertence ao bloco',
      chain: 'O bloco está na cadeia',
      receipt: 'O recibo da transação está no bloco, e o pagamento teve êxito',
      transaction: 'A transação está no bloco',
      escrow: 'A conta é o contrato de garantia com estas condições',
      payment: 'Montante, moeda, remetente e destinatário estão certos',
      balance: 'O saldo da conta subiu nesse montante',
      level: 'A cadeia prova tanto quanto pede',
      entries: 'O livro-razão credita o pagamento uma só vez',
      inclusion: 'Os lançamentos do livro-razão estão selados',
      head: 'A cabeça do livro-razão resulta do selo',
      signature: 'O serviço assinou a cabeça',
      page: 'É a doação desta página',
      kept: 'O ficheiro que guardou coincide',
    },
    holds: 'certo',
    fails: 'falha',
    unchecked: 'não verificado',
    words: {
      source: '{names} para o hash do bloco',
      no_source: 'nenhuma fonte ainda para o hash do bloco',
      own_key: 'o ficheiro que guardou para a chave do serviço',
      site_key: 'este site para a sua própria chave',
      unknown_key: 'nenhuma fonte ainda para a chave',
      reversal: 'o serviço para não ter revertido o crédito desde então',
      price: 'o serviço para o preço a que conta o pagamento',
      receipt: 'o serviço para a transação do recibo da transação',
      balance: 'o serviço para a transação que aumentou o saldo',
    },
    head: {
      titles: {
        current: 'A cabeça está assinada, e o livro-razão ainda termina com ela.',
        older: 'A cabeça está assinada. O livro-razão cresceu desde então.',
        alone: 'A cabeça está assinada.',
        other: 'O livro-razão deste site NÃO corresponde a esta cabeça.',
        unsigned: 'A cabeça NÃO está provada.',
        no_signatures: 'Este navegador não consegue verificar a assinatura.',
      },
      why: {
        current:
          'Nada foi acrescentado nem mudado desde que a guardou. Aqui não foram somados montantes.',
        older:
          'O livro-razão deste site vai agora no selo {newest}. O total desta cabeça é a soma dos lançamentos até ao selo {seq}.',
        alone: 'Este site não indicou a sua cabeça mais recente. Ligue-se e tente de novo.',
        other:
          'Este site tem outra cabeça para o selo {seq}, ou já não tem esse selo. O seu livro-razão foi alterado depois da assinatura, ou continua a partir de uma cópia de segurança. Guarde o ficheiro e pergunte ao operador.',
        unsigned: 'Nenhuma chave deste site assinou esta cabeça, ou o ficheiro foi alterado.',
        no_signatures:
          'Use um navegador atual e um endereço com https, ou o programa deste serviço.',
      },
      signed: 'Uma chave deste site assinou o selo {seq} do livro-razão de {campaign}.',
      fixed:
        'A cabeça fixa cada lançamento até este selo e, com eles, o seu total. Se um mudar, a cabeça é outra.',
      trusted:
        'A cabeça em si não indica montantes: some os lançamentos, ver {ledger}. Lançamentos segundo o ficheiro: {entries}, selo de {time}. A assinatura não cobre estes dois dados.',
      ledger: 'o livro-razão',
      keep: 'Guarde o ficheiro. A próxima prova que largar aqui é comparada com ele.',
    },
    signedBy: 'Assinado com a chave {key}',
    compare: 'Comparar com um ficheiro que guardou',
    compareHint:
      'Um ficheiro de chaves, uma cabeça do livro-razão ou atualizações de um comité de sincronização de um dia anterior. O ficheiro fica consigo.',
    comparedWith: 'Comparado com {file}',
    unknownFile: 'Este ficheiro não contém nem uma chave nem uma cabeça do livro-razão.',
    problems: {
      other_chain: '{name} usa uma rede diferente de {chain}.',
      no_block: '{name} não conhece este bloco.',
      no_answer: '{name} não respondeu.',
      no_updates:
        'Este site não deu atualizações para este ponto de controlo. Verifique a ligação, use a raiz do slot abaixo ou escolha um ficheiro de atualizações.',
      not_proven: 'O ponto de controlo não prova este bloco:',
    },
    noWallet: 'Não há nenhuma carteira neste navegador.',
    switchTo: 'Mudar {name} para {chain}',
    unnamedWallet: 'Carteira do navegador',
    hashLabel: 'Hash do bloco {block}',
    hashHint: 'Os 64 dígitos depois de 0x, como qualquer explorador os mostra.',
    hashWrong: 'Um hash tem 0x e 64 dígitos.',
    checkpointLabel: 'Ou um ponto de controlo: a raiz de um bloco beacon definitivo',
    checkpointHint:
      '32 bytes que guardou, ou a raiz do bloco do slot {slot}, se vários exploradores beacon indicarem a mesma. A partir daí, os validadores da cadeia provam o bloco. Este site só dá as suas assinaturas, que são verificadas aqui.',
    checkCheckpoint: 'Verificar com este ponto de controlo',
    checkHash: 'Verificar com este hash',
    explorer: 'Abrir o bloco num explorador',
    you: 'fonte sua',
    ownCheckpoint: 'o seu ponto de controlo',
    committee: 'os validadores da cadeia (a partir do seu ponto de controlo)',
    describedCommittee:
      'os validadores da cadeia (a partir do seu ponto de controlo, numa rede tal como este site a descreve)',
    accept: 'Isso chega-me',
    facts: {
      title: 'O que diz a prova',
      amount: 'Montante',
      donation: 'Doação',
      account: 'Conta',
      sender: 'Remetente',
      unknownSender: 'A cadeia não o mostra',
      transaction: 'Transação',
      block: 'Bloco',
      chain: 'Rede',
    },
    desk: {
      file: 'Escolha uma prova ou a cabeça de um livro-razão, ou largue-a nesta página',
      fileHint:
        'O ficheiro que descarregou na página de uma doação ou de um livro-razão, ou atualizações de um comité de sincronização.',
      paste: 'Ou cole a prova',
      node: 'O seu próprio nó',
      nodeHint:
        'Opcional: o endereço de um nó da sua confiança, com https. Sem ele, pergunta-se à sua carteira.',
      nodeWrong: 'Este não é um endereço com https.',
      keys: 'Isto são chaves. A próxima prova que largar aqui é comparada com elas.',
      updates: 'São atualizações de um comité de sincronização. Escolha agora a prova.',
      notJson: 'Isto não é uma prova. Uma prova é um ficheiro JSON.',
    },
  },
}
