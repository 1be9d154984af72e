/** The languages of the pages. The first one is for people who have none of them. */
export const LANGUAGES = ['en', 'de', 'es', 'fr', 'pt'] as const
export type Language = (typeof LANGUAGES)[number]

/** Each language by its own name. */
export const NAME_OF: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  pt: 'Português',
}

export const isLanguage = (text: string | undefined): text is Language =>
  (LANGUAGES as readonly string[]).includes(text ?? '')

/** The first language of `Accept-Language` that the pages have (RFC 9110, section 12.5.4). */
export const acceptedLanguage = (header: string): Language => {
  const wishes = header.split(',').map((part) => {
    const [tag = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    return { language: tag.split('-')[0], weight: Number(weight ?? 1) }
  })
  wishes.sort((a, b) => b.weight - a.weight)
  for (const { language, weight } of wishes) {
    if (weight > 0 && isLanguage(language)) return language
  }
  return 'en'
}
