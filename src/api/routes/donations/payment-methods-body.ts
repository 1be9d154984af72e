import { z } from 'zod'
import { REFUND_METHODS } from '../../../domain/donations/index.ts'
import { component } from '../../../edge/schemas.ts'
import { EXAMPLE_ACCOUNT, EXAMPLE_HASH, EXAMPLE_WALLET } from '../../openapi/samples.ts'

const Address = z.string().meta({ examples: [EXAMPLE_ACCOUNT] })
const Wallet = z.string().meta({ examples: [EXAMPLE_WALLET] })
const WalletCall = z.object({
  to: Address,
  data: z.string().meta({ examples: ['0x'] }),
  value: z.literal('0x0'),
})

/** Who refunds a donation: the contract alone, or verifiers who sign. */
export const Refund = z.enum(REFUND_METHODS).meta({
  id: 'RefundMethod',
  description:
    '`on_chain`: the contract has recorded the donor, and refunds without any verifier. `by_verifiers`: the verifiers must sign its return.',
})

const common = {
  refund: Refund,
  note: z.string().meta({
    description: 'One or two sentences for the donor.',
    examples: ['The contract records you, so you can get a refund without any verifier.'],
  }),
}

const Authorization = component('PaymentByAuthorization', {
  method: z.literal('authorization'),
  ...common,
  typedData: z
    .object({
      domain: z.object({
        name: z.string().meta({ examples: ['USD Coin'] }),
        version: z.string().meta({ examples: ['2'] }),
        chainId: z.int(),
        verifyingContract: Address,
      }),
      types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
      primaryType: z.literal('ReceiveWithAuthorization'),
      message: z.object({
        from: Wallet,
        to: Address,
        value: z.string().meta({ examples: ['12500000'] }),
        validAfter: z.string().meta({ examples: ['0'] }),
        validBefore: z.string().meta({ examples: ['1800000000'] }),
        nonce: z.string().meta({ examples: [EXAMPLE_HASH] }),
      }),
    })
    .describe('The typed data that the donor signs with `eth_signTypedData_v4` (ERC-3009).'),
  relay: z
    .object({
      calls: z.array(WalletCall).describe('Calls that must be sent before this call.'),
      to: Address,
      function: z.string().meta({
        examples: ['donateWithAuthorization(address,address,uint256,uint256,bytes32,bytes)'],
      }),
      arguments: z.array(z.string()).meta({
        description: "All arguments except the last, which is the donor's signature.",
        examples: [[EXAMPLE_WALLET, EXAMPLE_WALLET, '12500000', '1800000000', EXAMPLE_HASH]],
      }),
    })
    .describe('The call that any account may send with the signature.'),
})

const Calls = component('PaymentByCalls', {
  method: z.literal('calls'),
  ...common,
  sendCalls: z
    .object({
      version: z.literal('2.0.0'),
      chainId: z.string().meta({ examples: ['0x2105'] }),
      from: Wallet,
      atomicRequired: z.literal(false),
      calls: z.array(WalletCall),
    })
    .describe('For `wallet_sendCalls` (EIP-5792).'),
})

const Transfer = component('PaymentByTransfer', {
  method: z.literal('transfer'),
  ...common,
  uri: z.string().describe('An EIP-681 link, also for a QR code.'),
})

export const PaymentMethod = z
  .discriminatedUnion('method', [Authorization, Calls, Transfer])
  .meta({ id: 'PaymentMethod' })
