import { de } from './languages/de.ts'
import { en } from './languages/en.ts'
import { es } from './languages/es.ts'
import { fr } from './languages/fr.ts'
import { pt } from './languages/pt.ts'
import type {
  NotificationText,
  NotificationTexts,
  NotificationType,
  NotificationValues,
} from './texts.ts'

const languages: Readonly<Record<string, NotificationTexts>> = { de, en, es, fr, pt }

/** A title may have 200 characters and a description 5 000: a notification is one line. */
const MAX_VALUE_LENGTH = 120

export const NOTIFICATION_TYPES = Object.keys(en) as NotificationType[]

/**
 * Writes a notification in a language such as `de` or `pt-BR`; in English where we do not speak it.
 */
export const renderNotification = <T extends NotificationType>(
  type: T,
  lang: string,
  values: NotificationValues[T],
): NotificationText => {
  const language = lang.toLowerCase().split(/[-_]/)[0] ?? ''
  const texts = Object.hasOwn(languages, language) ? (languages[language] ?? en) : en
  return texts[type](shortened(values))
}

const shortened = <V extends object>(values: V): V =>
  // Every value of `V` is a text, and stays one.
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, shorten(String(value))]),
  ) as V

/** By code points, so that no surrogate pair is cut in two. */
const shorten = (text: string): string => {
  if (text.length <= MAX_VALUE_LENGTH) return text
  return `${[...text].slice(0, MAX_VALUE_LENGTH - 1).join('')}…`
}
