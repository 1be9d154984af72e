import { z } from 'zod'
import { EVENT_TYPES } from '../../../outbox/events.ts'
import { moneyText } from '../../shared/index.ts'

const Address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hexadecimal digits')

export const FundAddress = z.strictObject({ address: Address })

export const SendTransfer = z.strictObject({
  to: Address,
  amount: moneyText,
  currency: z.string().min(1).max(16),
})

export const SendTestEvent = z.strictObject({
  event: z.enum(EVENT_TYPES),
  /** Without `endpointId`, all active endpoints of the caller with this event type receive it. */
  endpointId: z.uuid().optional(),
})

export const Reorganise = z.strictObject({ depth: z.int().min(1).max(64) })

export const DropTransaction = z.strictObject({
  txHash: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hexadecimal digits')
    .transform((text) => text.toLowerCase()),
})
