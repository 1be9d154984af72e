/** The sentences of the island that signs with a wallet. */
export type SignTexts = {
  /** `{wallet}` stands for the wallet's name. */
  button: string
  unnamed: string
  looking: string
  none: string
  confirm: string
  /** Follows `confirm` if the wallet takes long. */
  slow: string
  sending: string
  rejected: string
  busy: string
  locked: string
  failed: string
  unreachable: string
}

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
