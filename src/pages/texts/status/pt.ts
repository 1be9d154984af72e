import type { StatusTexts } from './en.ts'

export const pt: StatusTexts = {
  lead: 'A Fundproof lê cada cadeia por si e credita uma doação assim que o seu bloco é definitivo.',
  fine: { title: 'Todas as cadeias são seguidas', text: 'Os seus últimos blocos estão lidos.' },
  late: {
    title: 'Algumas doações são creditadas com atraso',
    text: 'Nada se perde. O que chegou à cadeia é creditado assim que a causa desaparecer.',
  },
  health: {
    fine: 'Em dia',
    unread: 'Ainda não lida',
    behind: 'A recuperar',
    notFinal: 'Sem blocos definitivos',
    nodes: 'Falha dos nós',
    stalled: 'Sem leitura',
    halted: 'Parada',
  },
  why: {
    unread: 'Esta cadeia ainda não foi lida. A leitura começa por si.',
    behind: 'Ainda estão a ser lidos blocos mais antigos. As doações recentes vêm a seguir.',
    notFinal:
      'A própria cadeia não tem blocos definitivos há muito tempo. Esperamos que volte a ter.',
    nodes: 'Os nós que consultamos não dão respostas que possamos provar. Continuamos a perguntar.',
    stalled: 'Há algum tempo que não lemos blocos novos. O operador foi avisado.',
    halted:
      'Os nós contradizem um bloco definitivo ou as nossas definições. Nada é creditado até o operador encontrar a causa.',
  },
  testnet: 'Rede de teste',
  read: 'Último bloco lido',
  final: 'Último bloco definitivo',
  waiting: 'Blocos que ainda não são definitivos',
  moved: 'Último avanço',
  usual: 'Tempo habitual até um bloco ser definitivo',
  about: (time) => `cerca de ${time}`,
}
