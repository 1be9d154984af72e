import type { SignatureChallenge } from '../../db/schema/access.ts'
import { toChecksumAddress } from '../../kernel/formats/address.ts'

type SignInMessage = Pick<SignatureChallenge, 'address' | 'chainId' | 'nonce' | 'expiresAt'> & {
  /** The service's own address; wallets warn where it differs from the page that asks. */
  publicUrl: string
  /** One line. */
  statement: string
  issuedAt: Date
}

/** The message of EIP-4361, "Message Format", that a wallet shows and signs under EIP-191. */
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

/** The nonce that a message names; undefined for what is none of ours. */
export const nonceOf = (message: string): string | undefined =>
  /^Nonce: ([0-9a-f]{32})$/m.exec(message)?.[1]
