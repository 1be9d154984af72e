import { z } from 'zod'

/** This limit suffices for the long signatures of contract wallets with many owners. */
const MAX_SIGNATURE_BYTES = 8 * 1024

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
  signature: z
    .string()
    .max(2 + 2 * MAX_SIGNATURE_BYTES)
    .regex(/^0x(?:[0-9a-fA-F]{2})*$/, 'must be 0x and whole bytes in hexadecimal')
    .transform((text) => text.toLowerCase())
    .meta({ description: 'EIP-712, by a key or a contract wallet (EIP-1271) of a verifier.' }),
  verifier: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address')
    .optional()
    .meta({ description: 'The signing verifier, if it is not a wallet of the caller.' }),
})
export type SignRoot = z.output<typeof SignRoot>
