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
}
