import { formatCount, plural } from '../../shared/format.ts'
import type { HomeTexts } from './en.ts'

export const es: HomeTexts = {
  title: 'Dona y comprueba la prueba',
  what: 'Las donaciones van de tu cartera a la campaña. Cada céntimo abonado tiene una prueba que tú puedes comprobar.',
  provenSoFar: 'Probado hasta ahora',
  nothingProven: 'Aún no hay nada probado',
  totalOf: (donations, campaigns) =>
    `${es.donations(donations)} a ${formatCount('es', campaigns)} ${plural('es', campaigns, { one: 'campaña', other: 'campañas' })}`,
  paidBackOfIt: (money) => `de ellos, ${money} reembolsados`,
  checkTotal: 'Comprobar el total',
  newestProof: '{amount} para {campaign}, probado en el bloque {block} – {check}',
  checkIt: 'compruébalo',
  open: 'Campañas abiertas',
  noneOpen: 'Ahora no hay ninguna campaña abierta.',
  asOf: (block) => `Estos importes son los del bloque ${block}, que es definitivo`,
  toCreator: 'Directo al creador',
  toEscrow: ({ paid, all }) =>
    paid === 0 ? 'Guardado en depósito' : `En depósito, etapas liberadas: ${paid} de ${all}`,
  donateTo: (title) => `Donar a ${title}`,
  howItWorks: 'Cómo funciona',
  steps: [
    {
      title: 'Das desde tu propia cartera',
      text: 'El dinero va directamente a la campaña o a su contrato de depósito. Fundproof nunca lo guarda.',
    },
    {
      title: 'Una cadena de bloques pública lo prueba',
      text: 'Cuando el bloque es definitivo, la donación se abona una sola vez, en un libro mayor sellado que nadie puede cambiar sin que se note.',
    },
    {
      title: 'Tú guardas la prueba',
      text: 'Un recibo y un archivo que cualquiera puede comprobar: también sin este sitio y dentro de muchos años.',
    },
  ],
  ended: 'Terminadas',
  outcome: {
    noDonations: 'No se abonó ninguna donación',
    raised: (money) => `${money} recaudados`,
    toCreator: (money) => `${money} fueron directamente al creador`,
    verified: (money) => `${money} recaudados, todas las etapas verificadas`,
    allPaidBack: (money) => `${money} reembolsados: todo lo que se dio`,
    paidBack: (all, back) => `${all} recaudados, de ellos ${back} reembolsados`,
  },
  total: {
    title: 'Comprobar el total',
    lead: 'El total de la primera página es la suma de estos libros mayores. Cada uno está sellado con una firma, así que puedes hacer la suma tú.',
    steps: [
      'Abre un libro mayor. Suma sus donaciones, sin las que un asiento posterior anula. Una donación en otra moneda cuenta con su conversión. La suma es el importe probado de la lista.',
      'Suma los importes probados de todas las campañas con la misma moneda. Los totales de monedas distintas nunca se suman.',
      'Descarga la cabecera de cada libro mayor y guárdala. Con ella, cualquiera puede mostrar más tarde que ningún asiento sellado se cambió ni se quitó.',
    ],
    columns: ['Campaña', 'Última cabecera', 'Probado', 'Reembolsado'],
    entries: (count) => `Asientos sellados: ${count}`,
    none: 'Ningún libro mayor tiene asientos todavía.',
  },
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
