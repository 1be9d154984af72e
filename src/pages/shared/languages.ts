/** The languages of the pages. The first one is for people who have none of them. */
export const LANGUAGES = ['en', 'de', 'es', 'fr', 'pt'] as const
export type Language = (typeof LANGUAGES)[number]
