import { formatCount, plural } from '../../shared/format.ts'
import type { HomeTexts } from './en.ts'

export const pt: HomeTexts = {
  title: 'Doe e veja a prova',
  what: 'As doações vão da sua carteira para a campanha. Cada cêntimo creditado tem uma prova que você pode verificar.',
  provenSoFar: 'Provado até agora',
  nothingProven: 'Ainda não há nada provado',
  totalOf: (donations, campaigns) =>
    `${pt.donations(donations)} a ${formatCount('pt', campaigns)} ${plural('pt', campaigns, { one: 'campanha', other: 'campanhas' })}`,
  paidBackOfIt: (money) => `dos quais ${money} reembolsados`,
  checkTotal: 'Verificar o total',
  newestProof: '{amount} para {campaign}, provado no bloco {block} – {check}',
  checkIt: 'verifique',
  open: 'Campanhas abertas',
  noneOpen: 'Nenhuma campanha está aberta agora.',
  asOf: (block) => `Estes valores são os do bloco ${block}, que é final`,
  toCreator: 'Direto para o criador',
  toEscrow: ({ paid, all }) =>
    paid === 0 ? 'Guardado em garantia' : `Em garantia, etapas libertadas: ${paid} de ${all}`,
  donateTo: (title) => `Doar a ${title}`,
  howItWorks: 'Como funciona',
  steps: [
    {
      title: 'Você dá da sua própria carteira',
      text: 'O dinheiro vai diretamente para a campanha ou para o contrato de garantia dela. A Fundproof nunca o guarda.',
    },
    {
      title: 'Uma blockchain pública prova-o',
      text: 'Quando o bloco é final, a doação é creditada uma só vez, num livro-razão selado que ninguém pode mudar sem que se note.',
    },
    {
      title: 'Você guarda a prova',
      text: 'Um recibo e um ficheiro que qualquer pessoa pode verificar: mesmo sem este site, e daqui a muitos anos.',
    },
  ],
  ended: 'Terminadas',
  outcome: {
    noDonations: 'Nenhuma doação foi creditada',
    raised: (money) => `${money} angariados`,
    toCreator: (money) => `${money} foram diretamente para o criador`,
    verified: (money) => `${money} angariados, todas as etapas verificadas`,
    allPaidBack: (money) => `${money} reembolsados: tudo o que foi dado`,
    paidBack: (all, back) => `${all} angariados, dos quais ${back} reembolsados`,
  },
  total: {
    title: 'Verificar o total',
    lead: 'O total da primeira página é a soma destes livros-razão. Cada um está selado com uma assinatura, por isso você pode fazer a soma.',
    steps: [
      'Abra um livro-razão. Some as doações dele, sem as que um lançamento posterior anula. Uma doação noutra moeda conta com a conversão dela. A soma é o valor provado da lista.',
      'Some os valores provados de todas as campanhas com a mesma moeda. Os totais de moedas diferentes nunca são somados.',
      'Descarregue a cabeça de cada livro-razão e guarde-a. Com ela, qualquer pessoa pode mostrar mais tarde que nenhum lançamento selado foi mudado nem retirado.',
    ],
    columns: ['Campanha', 'Última cabeça', 'Provado', 'Reembolsado'],
    entries: (count) => `Lançamentos selados: ${count}`,
    none: 'Nenhum livro-razão tem lançamentos ainda.',
  },
  search: 'Pesquisa',
  category: 'Categoria',
  anyCategory: 'Todas as categorias',
  find: 'Pesquisar',
  none: 'Ainda não há campanhas.',
  notFound: 'Nenhuma campanha corresponde.',
  showAll: 'Mostrar todas as campanhas',
  create: 'Criar uma com a API',
  raisedOf: ({ raised, target }) => `${raised} de ${target}`,
  donations: (count) =>
    `${formatCount('pt', count)} ${plural('pt', count, { one: 'doação', other: 'doações' })}`,
  newest: 'Mais recentes',
  older: 'Anteriores',
  pages: 'Páginas',
}
