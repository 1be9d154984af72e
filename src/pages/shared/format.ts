/** Amounts, numbers and times as text. Amounts stay text, because numbers would lose digits. */

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** After this time, a date says more than a number of days. */
const LONGEST_RELATIVE = 30 * DAY

const numbers = new Map<string, Intl.NumberFormat>()

const numberFormat = (lang: string, least: number): Intl.NumberFormat => {
  const key = `${lang} ${least}`
  const known = numbers.get(key)
  if (known) return known
  const made = new Intl.NumberFormat(lang, {
    minimumFractionDigits: least,
    maximumFractionDigits: 36,
  })
  numbers.set(key, made)
  return made
}

/**
 * Writes a decimal text such as `1234.5` in the way of a language, with all its digits. `least` is
 * the least number of decimals; without it, a whole amount has none, and others have at least two.
 */
export const formatAmount = (lang: string, value: string, least?: number): string =>
  numberFormat(lang, least ?? (value.includes('.') ? 2 : 0)).format(
    value as Intl.StringNumericLiteral,
  )

/** Writes an amount as `formatAmount`, with its currency and without a line break between them. */
export const formatMoney = (
  lang: string,
  { value, currency }: { value: string; currency: string },
  least?: number,
): string => `${formatAmount(lang, value, least)}\u00a0${currency}`

/** Writes a count, such as a number of donations or of a block. */
export const formatCount = (lang: string, count: number): string =>
  numberFormat(lang, 0).format(count)

/** Chooses the form of a word for a count. Languages without a form of their own use `other`. */
export const plural = (
  lang: string,
  count: number,
  forms: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string },
): string => forms[new Intl.PluralRules(lang).select(count)] ?? forms.other

/** The share of `part` in `whole` in thousandths, from 0 to 1000. Both are decimal texts. */
export const shareOf = (part: string, whole: string): number => {
  const [units, all] = toUnits(part, whole)
  if (all <= 0n) return 0
  const share = (units * 1_000n) / all
  return share > 1_000n ? 1_000 : share < 0n ? 0 : Number(share)
}

/** Adds decimal texts exactly. */
export const add = (one: string, other: string): string => {
  const [a, b, decimals] = toUnits(one, other)
  return decimalText(a + b, decimals)
}

/** Subtracts decimal texts exactly; `0` if the result would be below zero. */
export const subtract = (from: string, taken: string): string => {
  const [all, part, decimals] = toUnits(from, taken)
  return decimalText(all > part ? all - part : 0n, decimals)
}

/** Both decimal texts as integers with the same number of decimals. */
const toUnits = (one: string, other: string): [bigint, bigint, number] => {
  const fractionOf = (text: string) => text.split('.')[1] ?? ''
  const decimals = Math.max(fractionOf(one).length, fractionOf(other).length)
  const units = (text: string) =>
    BigInt(`${text.split('.')[0]}${fractionOf(text).padEnd(decimals, '0')}`)
  return [units(one), units(other), decimals]
}

/** Base units as decimal text, without zeros at the end. */
export const decimalText = (units: bigint, decimals: number): string => {
  const digits = units.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}

/** Writes a moment as date and time, with the name of the time zone. */
export const formatMoment = (lang: string, at: Date, timeZone = 'UTC'): string => {
  const date = { year: 'numeric', month: 'short', day: 'numeric' } as const
  const time = { hour: 'numeric', minute: '2-digit', timeZone, timeZoneName: 'short' } as const
  return new Intl.DateTimeFormat(lang, { ...date, ...time }).format(at)
}

/** Writes the day of a moment in UTC. */
export const formatDay = (lang: string, at: Date): string =>
  new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeZone: 'UTC' }).format(at)

/** Writes a moment relative to `now`, such as `4 minutes ago`; a day if it is long ago. */
export const formatRelative = (lang: string, at: Date, now: Date): string => {
  const distance = at.getTime() - now.getTime()
  const size = Math.abs(distance)
  if (size > LONGEST_RELATIVE) return formatDay(lang, at)
  const relative = new Intl.RelativeTimeFormat(lang, { numeric: 'auto' })
  if (size < MINUTE) return relative.format(0, 'second')
  if (size < HOUR) return relative.format(Math.round(distance / MINUTE), 'minute')
  if (size < DAY) return relative.format(Math.round(distance / HOUR), 'hour')
  return relative.format(Math.round(distance / DAY), 'day')
}

/** Writes a length of time in whole days, hours or minutes, or in seconds below a minute. */
export const formatDuration = (lang: string, ms: number): string => {
  const long = ms < 2 * DAY ? (['hour', HOUR] as const) : (['day', DAY] as const)
  const short = ms < MINUTE ? (['second', SECOND] as const) : (['minute', MINUTE] as const)
  const [unit, size] = ms < 2 * HOUR ? short : long
  const format = new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay: 'long' })
  return format.format(Math.round(ms / size))
}

/** Shortens a hash or an address in the middle: `0xa0Ee…9720`. */
export const shorten = (hash: string): string =>
  hash.length > 14 ? `${hash.slice(0, 6)}…${hash.slice(-4)}` : hash

/** The beginning of a text on one line, cut after a word. */
export const excerptOf = (text: string, maxLength: number): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  if (line.length <= maxLength) return line
  return `${line.slice(0, maxLength).replace(/\s\S*$/, '')} …`
}

/** Replaces each `{name}` in a sentence by its value. The texts of islands are such sentences. */
export const fill = (sentence: string, values: Readonly<Record<string, string | number>>): string =>
  sentence.replaceAll(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place))

/** The page of an explorer about a part of its chain; undefined for a chain without explorer. */
export const explorerLink = (
  chain: { explorer: string | null } | undefined,
  kind: 'tx' | 'address' | 'block',
  what: string | number,
): string | undefined =>
  chain?.explorer ? `${chain.explorer.replace(/\/$/, '')}/${kind}/${what}` : undefined
