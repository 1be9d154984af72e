import type { SignatureChallenge } from '../../db/schema/access.ts'
import { toChecksumAddress } from '../../kernel/formats/address.ts'

type SignInMessage = Pick<SignatureChallenge, 'address' | 'chainId' | 'nonce' | 'expiresAt'> & {
  /** The URL of this service. Wallets warn if the page that asks has another URL. */
  publicUrl: string
  /** A text without line breaks. */
  statement: string
  issuedAt: Date
}

/** The message of EIP-4361, "Message Format". A wallet shows it and signs it under EIP-191. */
export const signInMessage = (input: SignInMessage): string => {
  const url = new URL(input.publicUrl)
  return [
    `${url.host} wants you to sign in with your Ethereum account:`,
    toChecksumAddress(input.address),
    '',
    input.statement,
    '',
    `URI: ${url.href}`,
    'Version: 1',
    `Chain ID: ${input.chainId}`,
    `Nonce: ${input.nonce}`,
    `Issued At: ${input.issuedAt.toISOString()}`,
    `Expiration Time: ${input.expiresAt.toISOString()}`,
  ].join('\n')
}

/** The nonce in a message of this service; undefined if the message has no such nonce. */
export const nonceOf = (message: string): string | undefined =>
  /^Nonce: ([0-9a-f]{32})$/m.exec(message)?.[1]
