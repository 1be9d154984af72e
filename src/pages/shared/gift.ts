/** Data about a payment that the server gives to the browser as JSON. */

/** The public data of a chain that a wallet needs to add the chain (EIP-3085). */
export type WalletChain = {
  id: number
  name: string
  rpc: readonly string[]
  explorer: string | null
  native: { symbol: string; decimals: number }
}

/** An asset that a campaign accepts. `token` is null for the chain's own coin. */
export type PayableAsset = { symbol: string; decimals: number; token: string | null }

/** Who gives the money back if an escrow fails: the contract alone, or its verifiers. */
export type Road = 'on_chain' | 'by_verifiers'

type Call = { to: string; data: string; value: string }

/** A way to pay a gift to an escrow. */
export type GiftMethod =
  | {
      method: 'authorization'
      /** The donor signs it (ERC-3009). */
      typedData: object
      /** The calls that prepare the payment, and the arguments of the call that pays. */
      relay: { calls: readonly Call[]; to: string; arguments: readonly string[] }
    }
  | { method: 'calls'; sendCalls: { calls: readonly Call[] } }
  | { method: 'transfer' }

/** A recorded intent, and how to pay it. `wallet` is the wallet that has to pay. */
export type Gift = {
  id: string
  wallet: string
  /** The account that gets the money. */
  account: string
  token: string | null
  /** Base units as decimal text. */
  units: string
  amount: string
  currency: string
  /** Null for a campaign without an escrow. */
  methods: readonly GiftMethod[] | null
}

/**
 * Reads a decimal text in base units. Undefined if it is no amount or has too many decimals; the
 * server says why.
 */
export const unitsOf = (text: string, decimals: number): bigint | undefined => {
  const [, whole, fraction = ''] = /^(\d{1,78})(?:\.(\d{1,78}))?$/.exec(text) ?? []
  if (whole === undefined || fraction.length > decimals) return undefined
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/** Thousands with dots, which look like a decimal number to a computer. */
const GROUPED = /^[1-9]\d{0,2}(\.\d{3})+$/

/** A decimal text as a person types it in a language. */
export const inputAmount = (lang: string, amount: string): string =>
  lang === 'en' ? amount : amount.replace('.', ',')

/**
 * An amount that was typed in one language, as a person types it in another one. A text that is no
 * amount stays as it is, but only in its own language, because it may be an amount in another one.
 */
export const retypeAmount = (typed: string, from: string, to: string): string => {
  const amount = readAmount(typed, from)
  if (/^\d+(\.\d+)?$/.test(amount)) return inputAmount(to, amount)
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
