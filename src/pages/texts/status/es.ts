import type { StatusTexts } from './en.ts'

export const es: StatusTexts = {
  lead: 'Fundproof lee cada cadena por su cuenta y abona una donación en cuanto su bloque es definitivo.',
  fine: { title: 'Se siguen todas las cadenas', text: 'Sus últimos bloques están leídos.' },
  late: {
    title: 'Algunas donaciones se abonan con retraso',
    text: 'No se pierde nada. Lo que ha llegado a la cadena se abona en cuanto desaparece la causa.',
  },
  health: {
    fine: 'Al día',
    unread: 'Aún sin leer',
    behind: 'Poniéndose al día',
    notFinal: 'Sin bloques definitivos',
    nodes: 'Fallan los nodos',
    stalled: 'Sin lectura',
    halted: 'Detenida',
  },
  why: {
    unread: 'Esta cadena todavía no se ha leído. La lectura empieza sola.',
    behind:
      'Todavía se están leyendo bloques anteriores. Después siguen las donaciones más recientes.',
    notFinal:
      'La propia cadena lleva mucho tiempo sin bloques definitivos. Esperamos a que los tenga.',
    nodes:
      'Los nodos a los que preguntamos no dan respuestas que podamos probar. Seguimos preguntando.',
    stalled: 'Hace un rato que no leemos bloques nuevos. Se ha avisado al operador.',
    halted:
      'Los nodos contradicen un bloque definitivo o nuestra configuración. No se abona nada hasta que el operador encuentre la causa.',
  },
  testnet: 'Red de pruebas',
  read: 'Último bloque leído',
  final: 'Último bloque definitivo',
  waiting: 'Bloques que aún no son definitivos',
  moved: 'Último avance',
  usual: 'Tiempo habitual hasta que un bloque es definitivo',
  about: (time) => `unos ${time}`,
}
