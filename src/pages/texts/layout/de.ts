import type { LayoutTexts } from './en.ts'

export const de: LayoutTexts = {
  name: 'Fundproof',
  description:
    'Crowdfunding, bei dem eine öffentliche Blockchain jeden gutgeschriebenen Cent beweist.',
  skip: 'Zum Inhalt springen',
  menu: 'Hauptmenü',
  campaigns: 'Kampagnen',
  check: 'Beweis prüfen',
  account: 'Konto',
  signIn: 'Anmelden',
  more: 'Mehr',
  promise: 'Fundproof hält das Geld nie selbst. Es führt Bücher, die alle prüfen können.',
  status: 'Status',
  api: 'Für Entwickler',
  language: 'Sprache',
  theme: 'Farben',
  themes: { auto: 'Wie das Gerät', light: 'Hell', dark: 'Dunkel' },
  notLive: 'Seit {time} nicht mehr live. Neuer Versuch läuft …',
}
