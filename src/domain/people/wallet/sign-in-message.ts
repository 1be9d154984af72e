import type { SignatureChallenge } from '../../../db/schema/access.ts'
import { toChecksumAddress } from '../../../kernel/formats/address.ts'

type SignInMessage = Pick<SignatureChallenge, 'address' | 'chainId' | 'nonce' | 'expiresAt'> & {
  /** The URL of this service. A wallet warns if a page on another host asks for the signature. */
  publicUrl: string
  /** The purpose of the signature, as a sentence without line breaks. */
  statement: string
  issuedAt: Date
}

/** Returns a message in the format of EIP-4361, which a wallet shows and signs (EIP-191). */
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

/** Returns the nonce from a message of `signInMessage`, or undefined if the text has no nonce. */
export const nonceOf = (message: string): string | undefined =>
  /^Nonce: ([0-9a-f]{32})$/m.exec(message)?.[1]
