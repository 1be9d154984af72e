const PASSWORD_MIN = 10
const PASSWORD_MAX = 128

/** A password of any length needs at least this number of different characters. */
const MIN_DISTINCT = 5
/** A password with a common word or the user's name needs at least this many other characters. */
const MIN_REST = 6

/** Common words of leaked passwords. Users extend short words, so these are listed as well. */
const COMMON = [
  '1234567890',
  '0987654321',
  '1q2w3e4r5t',
  '1qaz2wsx3edc',
  'qwertyuiop',
  'qwerty',
  'asdfghjkl',
  'zxcvbnm',
  'qazwsxedc',
  'password',
  'passw0rd',
  'p@ssw0rd',
  'p@ssword',
  'passwort',
  'motdepasse',
  'contraseña',
  'administrator',
  'iloveyou',
  'letmein',
  'welcome',
  'football',
  'baseball',
  'basketball',
  'superman',
  'princess',
  'sunshine',
  'starwars',
  'whatever',
  'trustno1',
  'changeme',
  'computer',
  'internet',
  'jennifer',
  'michelle',
  'liverpool',
  'abcdefghij',
  'abc123',
  'a1b2c3d4',
  'fundproof',
  'monkey',
  'dragon',
  'master',
  'shadow',
] as const

/**
 * Returns why a password is refused, as the end of a sentence that starts with "The password".
 * Returns undefined if the password is accepted. Source: NIST SP 800-63B, section 3.1.1.2 (a
 * blocklist of common, repetitive and context-specific values).
 */
export const refusePassword = (
  password: string,
  about: { email: string; username: string },
): string | undefined => {
  const length = [...password].length
  if (length < PASSWORD_MIN) return `must have at least ${PASSWORD_MIN} characters`
  if (length > PASSWORD_MAX) return `must have at most ${PASSWORD_MAX} characters`
  const plain = password.normalize('NFKC').toLowerCase()
  if (new Set(plain).size < MIN_DISTINCT || isSequence(plain)) return 'is too repetitive'
  if (COMMON.some((word) => isMostly(plain, word))) return 'is too common'
  const own = [about.username, about.email.split('@')[0] ?? ''].map((word) => word.toLowerCase())
  if (own.some((word) => word.length >= 4 && isMostly(plain, word))) {
    return 'is too close to the user name or the email address'
  }
  return undefined
}

/** Whether a password contains this word and has fewer than `MIN_REST` other characters. */
const isMostly = (password: string, word: string): boolean =>
  password.includes(word) && password.replaceAll(word, '').length < MIN_REST

/** Whether the characters are consecutive in Unicode, up or down: `abcdefghijk`, `9876543210`. */
const isSequence = (password: string): boolean => {
  const codes = [...password].map((character) => character.codePointAt(0) ?? 0)
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0))
  return steps.every((step) => step === 1) || steps.every((step) => step === -1)
}
