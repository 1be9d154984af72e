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

/** A link that opens a page in the browser of a wallet app. */
export type WalletLink = { name: string; href: string }

/** A transaction. `value` is in base units. */
export type Call = { to: string; data: string; value: string }

/** A way to pay an intent to an escrow, which records the donor. */
export type PaymentMethod =
  | {
      method: 'authorization'
      /** The donor signs it (ERC-3009). */
      typedData: {
        primaryType: string
        message: { to: string; value: string; validBefore: string }
      }
      /** The calls that prepare the payment, and the arguments of the call that pays. */
      relay: { calls: readonly Call[]; to: string; arguments: readonly string[] }
    }
  | { method: 'calls'; sendCalls: { calls: readonly Call[] } }

/** A recorded intent, and how to pay it. `wallet` is the wallet that has to pay. */
export type Intent = {
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
  methods: readonly PaymentMethod[] | null
}
