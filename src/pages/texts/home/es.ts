import { formatCount, plural } from '../../shared/format.ts'
import type { HomeTexts } from './en.ts'

export const es: HomeTexts = {
  title: 'Dona y comprueba la prueba',
  what: 'Las donaciones van directamente de tu cartera a la campaña, en una cadena de bloques pública.',
  how: 'Fundproof lleva los libros, y cada céntimo abonado tiene una prueba que tú puedes comprobar.',
  search: 'Búsqueda',
  category: 'Categoría',
  anyCategory: 'Todas las categorías',
  find: 'Buscar',
  none: 'Aún no hay campañas.',
  notFound: 'Ninguna campaña coincide.',
  showAll: 'Mostrar todas las campañas',
  create: 'Crear una con la API',
  raisedOf: ({ raised, target }) => `${raised} de ${target}`,
  donations: (count) =>
    `${formatCount('es', count)} ${plural('es', count, { one: 'donación', other: 'donaciones' })}`,
  newest: 'Más recientes',
  older: 'Anteriores',
  pages: 'Páginas',
}
