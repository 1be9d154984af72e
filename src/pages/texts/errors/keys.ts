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
