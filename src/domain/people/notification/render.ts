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

/** The longest value in a text, in characters. Longer values are cut. */
const MAX_VALUE_LENGTH = 120

export const NOTIFICATION_TYPES = Object.keys(en) as NotificationType[]

/** Renders a notification in a language such as `pt-BR`. English replaces an unknown language. */
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
  // The cast is safe, because every value of `V` is a string and stays a string.
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, shorten(String(value))]),
  ) as V

/** Cuts between code points, so that no surrogate pair is split. */
const shorten = (text: string): string => {
  if (text.length <= MAX_VALUE_LENGTH) return text
  return `${[...text].slice(0, MAX_VALUE_LENGTH - 1).join('')}…`
}
