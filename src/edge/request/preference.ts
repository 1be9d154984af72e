/** With this preference, a client asks for amounts as texts instead of numbers. */
const AMOUNTS_AS_TEXT = 'amounts=text'

/**
 * Whether the header `Prefer` asks for amounts as text. The header is a list of preferences, which
 * may have parameters after a semicolon (RFC 7240). Ignores parameters, upper case and quotes.
 */
export const wantsAmountsAsText = (header: string | undefined): boolean =>
  (header ?? '').split(',').some((preference) => {
    const [first = ''] = preference.split(';')
    return first.replaceAll(/[\s"]/g, '').toLowerCase() === AMOUNTS_AS_TEXT
  })

/** The header of an answer with amounts as texts. */
export const PREFERENCE_APPLIED = { 'Preference-Applied': AMOUNTS_AS_TEXT } as const
