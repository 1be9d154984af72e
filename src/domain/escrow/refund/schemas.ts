import { z } from 'zod'
import { SignatureText, VerifierAddress } from '../schemas.ts'

export const SignRoot = z.strictObject({
  index: z
    .int()
    .min(0)
    .max(2 ** 31 - 1)
    .meta({ description: 'The `index` of the signed root.' }),
  root: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hexadecimal digits')
    .transform((text) => text.toLowerCase()),
  signature: SignatureText,
  verifier: VerifierAddress.optional().meta({
    description: 'The signing verifier, if it is not a wallet of the caller.',
  }),
})
export type SignRoot = z.output<typeof SignRoot>
