import { de } from './languages/de.ts'
import { en } from './languages/en.ts'
import { es } from './languages/es.ts'
import { fr } from './languages/fr.ts'
import { pt } from './languages/pt.ts'
import {
  type MailTemplate,
  type MailText,
  type MailTexts,
  type MailValues,
  mailValues,
} from './templates.ts'

const languages: Readonly<Record<string, MailTexts>> = { de, en, es, fr, pt }

/** Renders a mail in a language such as `de` or `pt-BR`. Unknown languages get English. */
export const renderMail = <T extends MailTemplate>(
  template: T,
  lang: string,
  values: MailValues<T>,
): MailText => {
  const language = lang.toLowerCase().split(/[-_]/)[0] ?? ''
  const texts = Object.hasOwn(languages, language) ? (languages[language] ?? en) : en
  return texts[template](values)
}

/** A stored mail. `validMs` is the time for which its code is valid; null if it has no code. */
type StoredMail = MailText & { validMs: number | null }

/** Renders a stored mail. Throws Error if the template name or the values are not valid. */
export const renderStoredMail = (template: string, lang: string, values: unknown): StoredMail => {
  if (!isTemplate(template)) throw new Error(`There is no mail called ${template}.`)
  const parsed = mailValues[template].parse(values)
  const validMs = 'minutes' in parsed ? parsed.minutes * 60_000 : null
  return { ...renderMail(template, lang, parsed), validMs }
}

const isTemplate = (name: string): name is MailTemplate => Object.hasOwn(mailValues, name)
