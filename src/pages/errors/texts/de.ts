import type { ErrorTexts } from './texts.ts'

export const de: ErrorTexts = {
  badRequest: {
    title: 'Das geht so nicht',
    what: 'Die Seite hat etwas bekommen, das sie nicht versteht. Bitte zurückgehen und noch einmal versuchen.',
  },
  signIn: { title: 'Bitte anmelden', what: 'Diese Seite ist nur für Personen mit einem Konto.' },
  forbidden: { title: 'Nicht erlaubt', what: 'Dein Konto darf das nicht.' },
  notFound: {
    title: 'Seite nicht gefunden',
    what: 'Unter dieser Adresse gibt es keine Seite. Sie ist umgezogen, oder die Adresse hat einen Fehler.',
  },
  conflict: {
    title: 'Das geht gerade nicht',
    what: 'Inzwischen hat sich etwas geändert. Bitte zurückgehen und die Seite neu laden.',
  },
  gone: { title: 'Nicht mehr da', what: 'Diese Seite wurde entfernt.' },
  tooMany: {
    title: 'Zu viele Anfragen',
    what: 'Aus deinem Netz kamen in kurzer Zeit zu viele Anfragen.',
  },
  legal: {
    title: 'In deinem Land nicht verfügbar',
    what: 'Das Gesetz verbietet uns, Besucher aus deinem Land zu bedienen. Du hast nichts bezahlt.',
  },
  ours: {
    title: 'Bei uns ist etwas schiefgegangen',
    what: 'Der Fehler wurde festgehalten. Nichts, was du bezahlt hast, ist verloren. Versuche es in einer Minute noch einmal.',
  },
  unavailable: {
    title: 'Gerade nicht erreichbar',
    what: 'Nichts ist verloren. Diese Seite versucht es von selbst wieder.',
  },
  retry: (seconds) => `Versuche es in ${seconds} ${seconds === 1 ? 'Sekunde' : 'Sekunden'} wieder.`,
  request: 'Anfrage',
  home: 'Alle Kampagnen',
  signInLink: 'Anmelden',
}
