const DECIMAL = /^(\d{1,78})(?:\.(\d{1,78}))?$/
/** Thousands with dots, which look like a decimal number to a computer. */
const GROUPED = /^[1-9]\d{0,2}(\.\d{3})+$/

/** Whether a text is a decimal number of at least zero. */
export const isDecimal = (text: string): boolean => DECIMAL.test(text)

/**
 * Reads a decimal text in base units. Undefined if it is no amount or has too many decimals; the
 * server says why.
 */
export const unitsOf = (text: string, decimals: number): bigint | undefined => {
  const [, whole, fraction = ''] = DECIMAL.exec(text) ?? []
  if (whole === undefined || fraction.length > decimals) return undefined
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/** A decimal text as a person types it in a language. */
export const inputAmount = (lang: string, amount: string): string =>
  lang === 'en' ? amount : amount.replace('.', ',')

/**
 * An amount that was typed in one language, as a person types it in another one. A text that is no
 * amount stays as it is, but only in its own language, because it may be an amount in another one.
 */
export const retypeAmount = (typed: string, from: string, to: string): string => {
  const amount = readAmount(typed, from)
  if (isDecimal(amount)) return inputAmount(to, amount)
  return from === to ? typed : ''
}

/**
 * Reads an amount that a person typed. Except in English, a comma is the decimal separator, and
 * `1.000` is refused because it may mean one or a thousand. Returns a decimal text or, for other
 * texts, the text itself, which the server refuses.
 */
export const readAmount = (typed: string, lang: string): string => {
  const text = typed.trim()
  if (lang === 'en') return text
  if (GROUPED.test(text)) return `${text}?`
  return /^\d+,\d+$/.test(text) ? text.replace(',', '.') : text
}

import type { Intent } from './payment.ts'

/** The amount and the currency of the intent or, before it, of the form. */
export const wantedOf = (
  intent: Intent | null,
  form: URLSearchParams,
  lang: string,
): { amount: string; currency: string } =>
  intent ?? {
    amount: readAmount(form.get('amount') ?? '', lang),
    currency: form.get('currency') ?? '',
  }

const HASH = /0x[0-9a-fA-F]{64}(?![0-9a-fA-F])/

/** The hash in a text, such as the address of a transaction in a block explorer. */
export const hashIn = (text: string): string | undefined => HASH.exec(text)?.[0].toLowerCase()
