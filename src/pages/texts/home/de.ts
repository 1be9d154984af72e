import { formatCount, plural } from '../../shared/format.ts'
import type { HomeTexts } from './en.ts'

export const de: HomeTexts = {
  title: 'Spenden, mit Beweis',
  what: 'Spenden gehen von Ihrer Wallet an die Kampagne. Für jeden gutgeschriebenen Cent gibt es einen Beweis, den Sie selbst prüfen können.',
  provenSoFar: 'Bisher bewiesen',
  nothingProven: 'Noch nichts bewiesen',
  totalOf: (donations, campaigns) =>
    `${de.donations(donations)} an ${formatCount('de', campaigns)} ${plural('de', campaigns, { one: 'Kampagne', other: 'Kampagnen' })}`,
  paidBackOfIt: (money) => `davon ${money} zurückgezahlt`,
  checkTotal: 'Die Summe prüfen',
  newestProof: '{amount} für {campaign}, bewiesen in Block {block} – {check}',
  checkIt: 'selbst prüfen',
  open: 'Offene Kampagnen',
  noneOpen: 'Zurzeit ist keine Kampagne offen.',
  asOf: (block) => `Diese Beträge gelten bei Block ${block}, der endgültig ist`,
  toCreator: 'Direkt an den Ersteller',
  toEscrow: ({ paid, all }) =>
    paid === 0 ? 'In Treuhand' : `In Treuhand, freigegebene Etappen: ${paid} von ${all}`,
  donateTo: (title) => `Spenden für ${title}`,
  howItWorks: 'So geht es',
  steps: [
    {
      title: 'Sie geben von Ihrer eigenen Wallet',
      text: 'Das Geld geht direkt an die Kampagne oder in ihren Treuhandvertrag. Fundproof verwahrt es nie.',
    },
    {
      title: 'Eine öffentliche Blockchain beweist es',
      text: 'Wenn der Block endgültig ist, wird die Spende genau einmal gutgeschrieben: in einem versiegelten Hauptbuch, das niemand unbemerkt ändern kann.',
    },
    {
      title: 'Sie behalten den Beweis',
      text: 'Eine Quittung und eine Datei, die alle prüfen können: auch ohne diese Website und noch in vielen Jahren.',
    },
  ],
  ended: 'Beendet',
  outcome: {
    noDonations: 'Keine Spende wurde gutgeschrieben',
    raised: (money) => `${money} gesammelt`,
    toCreator: (money) => `${money} gingen direkt an den Ersteller`,
    verified: (money) => `${money} gesammelt, alle Etappen geprüft`,
    allPaidBack: (money) => `${money} zurückgezahlt: alles, was gegeben wurde`,
    paidBack: (all, back) => `${all} gesammelt, davon ${back} zurückgezahlt`,
  },
  total: {
    title: 'Die Summe prüfen',
    lead: 'Die Summe auf der ersten Seite ist die Summe dieser Hauptbücher. Jedes ist mit einer Unterschrift versiegelt, deshalb können Sie selbst nachrechnen.',
    steps: [
      'Öffnen Sie ein Hauptbuch. Zählen Sie seine Spenden zusammen, ohne jene, die ein späterer Eintrag zurücknimmt. Eine Spende in einer anderen Währung zählt mit ihrer Umrechnung. Die Summe ist der bewiesene Betrag in der Liste.',
      'Zählen Sie die bewiesenen Beträge aller Kampagnen mit derselben Währung zusammen. Summen verschiedener Währungen werden nie zusammengezählt.',
      'Laden Sie den Kopf jedes Hauptbuchs herunter und bewahren Sie ihn auf. Damit lässt sich später zeigen, dass kein versiegelter Eintrag geändert oder entfernt wurde.',
    ],
    columns: ['Kampagne', 'Neuester Kopf', 'Bewiesen', 'Zurückgezahlt'],
    entries: (count) => `Versiegelte Einträge: ${count}`,
    none: 'Noch hat kein Hauptbuch einen Eintrag.',
  },
  search: 'Suche',
  category: 'Kategorie',
  anyCategory: 'Alle Kategorien',
  find: 'Suchen',
  none: 'Noch keine Kampagne.',
  notFound: 'Keine Kampagne passt.',
  showAll: 'Alle Kampagnen zeigen',
  create: 'Mit der API eine anlegen',
  raisedOf: ({ raised, target }) => `${raised} von ${target}`,
  donations: (count) =>
    `${formatCount('de', count)} ${plural('de', count, { one: 'Spende', other: 'Spenden' })}`,
  newest: 'Neueste',
  older: 'Ältere',
  pages: 'Seiten',
}
