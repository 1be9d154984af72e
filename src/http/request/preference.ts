/** What a caller prefers: every amount as a text instead of a number. */
const AMOUNTS_AS_TEXT = 'amounts=text'

/**
 * Whether `Prefer` asks for amounts as text (RFC 7240: preferences apart by commas, each with
 * parameters after a semicolon, in any case, the value in quotes or not).
 */
export const wantsAmountsAsText = (header: string | undefined): boolean =>
  (header ?? '').split(',').some((preference) => {
    const [first = ''] = preference.split(';')
    return first.replaceAll(/[\s"]/g, '').toLowerCase() === AMOUNTS_AS_TEXT
  })

/** The header of an answer that does so. */
export const PREFERENCE_APPLIED = { 'Preference-Applied': AMOUNTS_AS_TEXT } as const
