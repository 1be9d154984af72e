import type { StatusTexts } from './en.ts'

export const fr: StatusTexts = {
  lead: 'Fundproof lit lui-même chaque chaîne et crédite un don dès que son bloc est définitif.',
  fine: { title: 'Toutes les chaînes sont suivies', text: 'Leurs derniers blocs sont lus.' },
  late: {
    title: 'Certains dons sont crédités en retard',
    text: 'Rien n’est perdu. Ce qui est arrivé sur la chaîne est crédité dès que la cause a disparu.',
  },
  health: {
    fine: 'À jour',
    unread: 'Pas encore lue',
    behind: 'En rattrapage',
    notFinal: 'Pas définitif',
    nodes: 'Nœuds en panne',
    stalled: 'Lecture interrompue',
    halted: 'Arrêtée',
  },
  why: {
    unread: 'Cette chaîne n’a pas encore été lue. La lecture commence d’elle-même.',
    behind: 'Des blocs plus anciens sont encore en cours de lecture. Les dons récents suivront.',
    notFinal:
      'La chaîne elle-même n’a plus de bloc définitif depuis longtemps. Nous attendons qu’elle en ait.',
    nodes:
      'Les nœuds que nous interrogeons ne donnent pas de réponses que nous puissions prouver. Nous continuons.',
    stalled: 'Nous n’avons pas lu de nouveaux blocs depuis un moment. L’exploitant a été prévenu.',
    halted:
      'Les nœuds contredisent un bloc définitif ou nos réglages. Rien n’est crédité tant que l’exploitant n’a pas trouvé la cause.',
  },
  testnet: 'Réseau de test',
  read: 'Dernier bloc lu',
  final: 'Dernier bloc définitif',
  waiting: 'Blocs qui ne sont pas encore définitifs',
  moved: 'Dernier progrès',
  usual: 'Délai habituel jusqu’à ce qu’un bloc soit définitif',
  about: (time) => `environ ${time}`,
}
