import type { StatusTexts } from './en.ts'

export const de: StatusTexts = {
  lead: 'Fundproof liest jede Chain selbst und schreibt eine Spende gut, sobald ihr Block endgültig ist.',
  fine: { title: 'Alle Chains werden verfolgt', text: 'Ihre neuesten Blöcke sind gelesen.' },
  late: {
    title: 'Manche Spenden werden später gutgeschrieben',
    text: 'Nichts geht verloren. Was auf der Chain angekommen ist, wird gutgeschrieben, sobald die Ursache behoben ist.',
  },
  health: {
    fine: 'Aktuell',
    unread: 'Noch nicht gelesen',
    behind: 'Holt auf',
    notFinal: 'Nicht endgültig',
    nodes: 'Knoten gestört',
    stalled: 'Wird nicht gelesen',
    halted: 'Angehalten',
  },
  why: {
    unread: 'Diese Chain wurde noch nicht gelesen. Das beginnt von selbst.',
    behind: 'Ältere Blöcke werden noch gelesen. Neuere Spenden folgen danach.',
    notFinal: 'Die Chain selbst hat seit Langem keinen Block endgültig gemacht. Wir warten darauf.',
    nodes:
      'Die Knoten, die wir fragen, geben keine Antworten, die wir beweisen können. Wir fragen weiter.',
    stalled: 'Wir haben seit einer Weile keine neuen Blöcke gelesen. Der Betreiber ist alarmiert.',
    halted:
      'Die Knoten widersprechen einem endgültigen Block oder unseren Einstellungen. Bis der Betreiber die Ursache kennt, wird nichts gutgeschrieben.',
  },
  testnet: 'Testnetzwerk',
  read: 'Neuester gelesener Block',
  final: 'Neuester endgültiger Block',
  waiting: 'Blöcke, die noch nicht endgültig sind',
  moved: 'Zuletzt endgültig',
  usual: 'Übliche Zeit, bis ein Block endgültig ist',
  about: (time) => `etwa ${time}`,
}
