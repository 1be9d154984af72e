import type { ErrorTexts } from './en.ts'

export const de: ErrorTexts = {
  badRequest: {
    title: 'Das geht so nicht',
    what: 'Die Seite hat etwas bekommen, das sie nicht versteht. Gehen Sie zurück und versuchen Sie es noch einmal.',
  },
  signIn: { title: 'Bitte anmelden', what: 'Diese Seite ist nur für Personen mit einem Konto.' },
  forbidden: { title: 'Nicht erlaubt', what: 'Ihr Konto darf das nicht.' },
  notFound: {
    title: 'Seite nicht gefunden',
    what: 'Unter dieser Adresse gibt es keine Seite. Sie ist umgezogen, oder die Adresse hat einen Fehler.',
  },
  conflict: {
    title: 'Das geht gerade nicht',
    what: 'Inzwischen hat sich etwas geändert. Gehen Sie zurück und laden Sie die Seite neu.',
  },
  gone: { title: 'Nicht mehr da', what: 'Diese Seite wurde entfernt.' },
  tooMany: {
    title: 'Zu viele Anfragen',
    what: 'Aus Ihrem Netzwerk kamen in kurzer Zeit zu viele Anfragen.',
  },
  legal: {
    title: 'In Ihrem Land nicht verfügbar',
    what: 'Das Gesetz verbietet uns, Besucher aus Ihrem Land zu bedienen. Sie haben nichts bezahlt.',
  },
  ours: {
    title: 'Bei uns ist etwas schiefgegangen',
    what: 'Der Fehler wurde festgehalten. Nichts, was Sie bezahlt haben, ist verloren. Versuchen Sie es in einer Minute noch einmal.',
  },
  unavailable: {
    title: 'Gerade nicht erreichbar',
    what: 'Nichts ist verloren. Diese Seite versucht es von selbst wieder.',
  },
  retry: (seconds) =>
    `Versuchen Sie es in ${seconds} ${seconds === 1 ? 'Sekunde' : 'Sekunden'} wieder.`,
  request: 'Anfrage',
  home: 'Alle Kampagnen',
}
