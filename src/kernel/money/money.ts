import { DomainError } from '../errors.ts'

declare const baseUnits: unique symbol
/** An amount in the smallest unit of its asset (wei, 10^-6 USDC). Never a JavaScript number. */
export type BaseUnits = bigint & { readonly [baseUnits]: true }

/** The largest amount is the largest uint256. The database stores amounts as `numeric(78,0)`. */
export const MAX_BASE_UNITS = 2n ** 256n - 1n

const DECIMAL = /^(\d{1,78})(?:\.(\d{1,78}))?$/
const WITH_EXPONENT = /^(\d{1,78})(?:\.(\d{1,78}))?[eE]([+-]?\d{1,3})$/

/** Casts an integer to base units. The caller guarantees that the integer is in base units. */
export const asBaseUnits = (value: bigint | string): BaseUnits => BigInt(value) as BaseUnits

/**
 * Reads a decimal text such as `12.50` as base units, exactly.
 *
 * @param decimals number of decimals of the asset (ETH 18, USDC 6)
 * @throws DomainError `invalid_amount` if `text` is not above 0, too large or has too many decimals
 */
export const parseUnits = (text: string, decimals: number): BaseUnits => {
  const [whole, fraction] = splitDecimal(text)
  if (fraction.length > decimals) {
    throw new DomainError('invalid_amount', `The amount has more than ${decimals} decimals.`)
  }
  const units = BigInt(whole + fraction.padEnd(decimals, '0'))
  if (units <= 0n) throw new DomainError('invalid_amount', 'The amount must be greater than zero.')
  if (units > MAX_BASE_UNITS) throw new DomainError('invalid_amount', 'The amount is too large.')
  return units as BaseUnits
}

/** Base units as a decimal text without trailing zeros: `formatUnits(12500000n, 6)` is `12.5`. */
export const formatUnits = (units: bigint, decimals: number): string => {
  const sign = units < 0n ? '-' : ''
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return sign + (fraction === '' ? whole : `${whole}.${fraction}`)
}

/**
 * The price of a pair as an exact fraction. The price of ETH/USDC is the amount of USDC (in whole
 * units) that one whole ETH costs.
 */
export type Price = { readonly numerator: bigint; readonly denominator: bigint }

/** Reads a decimal price such as `2500.25`. Throws `invalid_amount` unless it is above 0. */
export const parsePrice = (text: string): Price => {
  const [whole, fraction] = splitDecimal(text)
  const numerator = BigInt(whole + fraction)
  if (numerator <= 0n) throw new DomainError('invalid_amount', 'A price must be above zero.')
  return { numerator, denominator: 10n ** BigInt(fraction.length) }
}

const EXACT_DECIMALS = 80
const SIGNIFICANT_DIGITS = 18

/**
 * Writes a price as a decimal text for display: exactly if it has at most 80 decimals, otherwise
 * its first 18 significant digits, rounded down. Conversions use the exact fraction instead.
 */
export const formatPrice = ({ numerator, denominator }: Price): string => {
  const scaled = numerator * 10n ** BigInt(EXACT_DECIMALS)
  const digits = (scaled / denominator).toString()
  const dropped = Math.max(0, Math.min(digits.length - SIGNIFICANT_DIGITS, EXACT_DECIMALS))
  const kept =
    scaled % denominator === 0n
      ? digits
      : digits.slice(0, digits.length - dropped).padEnd(digits.length, '0')
  return formatUnits(BigInt(kept), EXACT_DECIMALS)
}

/**
 * Converts base units of one asset into base units of another. The result is rounded down only
 * once, at the end, so that no conversion credits too much.
 */
export const convertUnits = (
  amount: BaseUnits,
  fromDecimals: number,
  price: Price,
  toDecimals: number,
): BaseUnits =>
  ((amount * price.numerator * 10n ** BigInt(toDecimals)) /
    (price.denominator * 10n ** BigInt(fromDecimals))) as BaseUnits

/** Splits `12.50` or `1.25e1` into its whole digits and its fraction without trailing zeros. */
const splitDecimal = (text: string): [whole: string, fraction: string] => {
  const plain = DECIMAL.exec(text)
  if (plain) return [plain[1] ?? '0', (plain[2] ?? '').replace(/0+$/, '')]
  const scientific = WITH_EXPONENT.exec(text)
  const exponent = Number(scientific?.[3])
  if (!scientific || Math.abs(exponent) > 78) {
    throw new DomainError('invalid_amount', 'The amount must be a plain positive decimal number.')
  }
  const digits = (scientific[1] ?? '') + (scientific[2] ?? '')
  const point = (scientific[1] ?? '').length + exponent
  const whole = point <= 0 ? '0' : digits.slice(0, point).padEnd(point, '0')
  const fraction = point <= 0 ? '0'.repeat(-point) + digits : digits.slice(point)
  return [whole, fraction.replace(/0+$/, '')]
}
