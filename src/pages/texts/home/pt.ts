import { formatCount, plural } from '../../shared/format.ts'
import type { HomeTexts } from './en.ts'

export const pt: HomeTexts = {
  title: 'Doe e veja a prova',
  what: 'As doações vão diretamente da sua carteira para a campanha, numa blockchain pública.',
  how: 'A Fundproof mantém os livros, e cada cêntimo creditado tem uma prova que você pode verificar.',
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
