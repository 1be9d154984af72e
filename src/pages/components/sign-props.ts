import type { AccountTexts } from '../texts/account/en.ts'

/** The sentences of the island that signs with a wallet. `{wallet}` is the wallet's name. */
export type SignTexts = AccountTexts['signInWallet']

/** What the server gives to the island that signs with a wallet. */
export type SignProps = {
  /** The path that answers with the message to sign. */
  challenge: string
  /** The path of the form that takes the signature. */
  action: string
  /** The page to which the person goes afterwards. */
  to: string
  texts: SignTexts
}
