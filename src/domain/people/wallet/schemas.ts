import { z } from 'zod'

export const ChallengeWallet = z.strictObject({
  /** An EIP-55 address, or an address that is all in lower case or all in upper case. */
  address: z.string().min(1).max(80),
  /** The chain of a contract wallet. Without this field, the first configured chain is used. */
  chainId: z.int().min(1).optional(),
})
export type ChallengeWallet = z.output<typeof ChallengeWallet>

/** At most 32 KiB. The signature of a contract that is not deployed yet (ERC-6492) is long. */
export const SignatureText = z
  .string()
  .max(2 + 2 * 32 * 1024)
  .regex(/^0x(?:[0-9a-fA-F]{2})+$/, 'must be 0x and hexadecimal bytes')

export const SignedChallenge = z
  .strictObject({
    /** The signed message. A request has either the message or its nonce. */
    message: z.string().min(1).max(2_000).optional(),
    nonce: z
      .string()
      .regex(/^[0-9a-f]{32}$/, 'must be the nonce of a challenge')
      .optional(),
    signature: SignatureText,
  })
  .refine(({ message, nonce }) => (message === undefined) !== (nonce === undefined), {
    message: 'must hold either message or nonce',
  })
export type SignedChallenge = z.output<typeof SignedChallenge>
