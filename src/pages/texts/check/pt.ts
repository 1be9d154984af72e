import type { CheckPageTexts } from './en.ts'

export const pt: CheckPageTexts = {
  title: 'Verificar uma prova',
  lead: 'O seu navegador volta a calcular a prova. O ficheiro fica no seu computador, e o bloco vem da sua carteira ou de um explorador, nunca de nós.',
  alone: {
    title: 'Sem este site',
    text: 'Esta página vem do serviço de que trata a prova. Pode passar sem ela: o programa é aberto e só precisa da prova, das chaves e de um nó da sua confiança.',
    keys: 'As chaves deste serviço',
  },
  island: {
    start: 'Verificar esta prova',
    again: 'Verificar de novo',
    reading: 'A ler a prova…',
    asking: 'A perguntar a {names} pelo bloco {block}…',
    notReady:
      'A prova ainda não está pronta. Fica pronta poucos segundos depois do crédito. Esta página volta a perguntar sozinha.',
    noAnswer: 'Não foi possível carregar a prova. Verifique a ligação e tente de novo.',
    noJavaScript:
      'A verificação no navegador precisa de JavaScript. Sem ele, descarregue a prova e verifique-a com o programa.',
    verdicts: {
      proven: 'A doação está provada. Todos os passos estão certos.',
      needs_hash:
        'Tudo está certo, mas falta uma coisa: que hash tem o bloco {block}. Obtenha-o da sua carteira ou de um explorador, não de nós.',
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
      failed: 'A doação NÃO está provada. Veja os passos que falham.',
    },
    stepsTitle: 'Passos',
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
    wordsTitle: 'Em quem ainda tem de confiar',
    words: {
      source: '{names}: que o bloco {block} de {chain} tem este hash',
      no_source: 'nenhuma fonte ainda: que o bloco {block} de {chain} tem este hash',
      own_key: 'si: que o ficheiro que guardou contém a chave do serviço',
      site_key: 'este site: que a chave é a sua, enquanto não a comparar com um ficheiro',
      unknown_key: 'nenhuma fonte ainda: que a chave é do serviço',
      reversal: 'o serviço: que não reverteu o crédito desde então',
      price: 'o serviço: o preço a que conta o pagamento',
      receipt: 'o serviço: a transação a que pertence o recibo da transação',
      balance: 'o serviço: a transação que aumentou o saldo',
    },
    signedBy: 'Assinado com a chave {key}',
    compare: 'Comparar com um ficheiro que guardou',
    compareHint:
      'Um ficheiro de chaves ou uma cabeça do livro-razão de um dia anterior. O ficheiro fica consigo.',
    comparedWith: 'Comparado com {file}',
    unknownFile: 'Este ficheiro não contém nem uma chave nem uma cabeça do livro-razão.',
    problems: {
      other_chain: '{name} usa uma rede diferente de {chain}.',
      no_block: '{name} não conhece este bloco.',
      no_answer: '{name} não respondeu.',
    },
    noWallet: 'Não há nenhuma carteira neste navegador.',
    switchTo: 'Mudar {name} para {chain}',
    unnamedWallet: 'Carteira do navegador',
    hashLabel: 'Hash do bloco {block}',
    hashHint: 'Os 64 dígitos depois de 0x, como qualquer explorador os mostra.',
    hashWrong: 'Um hash tem 0x e 64 dígitos.',
    checkHash: 'Verificar com este hash',
    explorer: 'Abrir o bloco num explorador',
    you: 'si',
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
      file: 'Escolha uma prova, ou largue-a nesta página',
      fileHint: 'O ficheiro que pode descarregar na página de uma doação.',
      paste: 'Ou cole a prova',
      node: 'O seu próprio nó',
      nodeHint:
        'Opcional: o endereço de um nó da sua confiança, com https. Sem ele, pergunta-se à sua carteira.',
      nodeWrong: 'Este não é um endereço com https.',
      notJson: 'Isto não é uma prova. Uma prova é um ficheiro JSON.',
    },
  },
}
