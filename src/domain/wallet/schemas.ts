import { z } from 'zod'

export const ChallengeWallet = z.strictObject({
  /** EIP-55, or in one case. */
  address: z.string().min(1).max(80),
  /** The chain on which a contract wallet is asked; left out: the first that is configured. */
  chainId: z.int().min(1).optional(),
})
export type ChallengeWallet = z.output<typeof ChallengeWallet>

/** 0x and bytes, with room for a contract wallet that is not deployed (ERC-6492). */
export const SignatureText = z
  .string()
  .max(2 + 2 * 32 * 1024)
  .regex(/^0x(?:[0-9a-fA-F]{2})+$/, 'must be 0x and hexadecimal bytes')

export const SignedChallenge = z
  .strictObject({
    /** The message as it was signed, or only its nonce. */
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
