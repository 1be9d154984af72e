import type { Language } from '../../shared/languages.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { pt } from './pt.ts'

type ErrorText = { title: string; what: string }

/** The kinds of refusals that have a text of their own. */
export const ERROR_KINDS = [
  'badRequest',
  'signIn',
  'forbidden',
  'notFound',
  'conflict',
  'gone',
  'tooMany',
  'legal',
  'ours',
  'unavailable',
] as const
export type ErrorKind = (typeof ERROR_KINDS)[number]

export type ErrorTexts = Readonly<Record<ErrorKind, ErrorText>> & {
  /** `number` is a whole number of seconds. */
  retry: (number: number) => string
  request: string
  home: string
  signInLink: string
}

export const errorTexts: Readonly<Record<Language, ErrorTexts>> = { en, de, es, fr, pt }
