/** Writes a number without an exponent: `1.5e3` becomes `1500`. */
export const withoutExponent = (decimal: string): string => {
  const [mantissa = '', exponent = '0'] = decimal.toLowerCase().split('e')
  if (mantissa === decimal) return decimal
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)\.?(\d*)$/.exec(mantissa) ?? []
  const point = whole.length + Number(exponent)
  const digits = (whole + fraction).padStart(
    whole.length + fraction.length + Math.max(0, 1 - point),
    '0',
  )
  const at = Math.max(1, point)
  const integer = digits
    .slice(0, at)
    .padEnd(at, '0')
    .replace(/^0+(?=\d)/, '')
  return sign + integer + (digits.length > at ? `.${digits.slice(at)}` : '')
}
