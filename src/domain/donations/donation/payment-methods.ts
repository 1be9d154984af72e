import type { Context } from '../../../db/context.ts'
import { authorizationSalt, authorizationTypedData } from '../../../escrow/authorization.ts'
import { approveCall, type Call, deployCall, donateCall } from '../../../escrow/calls.ts'
import { type EscrowTerms, unpackTerms } from '../../../escrow/terms.ts'
import { toChecksumAddress } from '../../../kernel/formats/address.ts'
import type { TokenDomain } from '../../../kernel/ports/contract-reader.ts'
import { chainLeadMs } from '../../campaigns/index.ts'
import type { DonationRow } from './rows.ts'

export const REFUND_METHODS = ['on_chain', 'by_verifiers'] as const
/** Who gives a donation back if the campaign fails: the contract alone, or also verifiers. */
export type RefundMethod = (typeof REFUND_METHODS)[number]

type WalletCall = { to: string; data: string; value: '0x0' }

/** A way to pay an intent of an escrow campaign. Addresses have an EIP-55 checksum. */
export type PaymentMethod = { refund: RefundMethod; note: string } & (
  | {
      method: 'authorization'
      /** The donor signs this typed data (ERC-3009). */
      typedData: ReturnType<typeof authorizationTypedData>
      /** Any account may then send this call, after `calls` that prepare it. */
      relay: {
        calls: WalletCall[]
        to: string
        function: string
        /** The arguments in their order, without the last one, which is the donor's signature. */
        arguments: string[]
      }
    }
  | {
      method: 'calls'
      /** The parameter of `wallet_sendCalls` (EIP-5792). */
      sendCalls: {
        version: '2.0.0'
        chainId: string
        from: string
        atomicRequired: false
        calls: WalletCall[]
      }
    }
  | { method: 'transfer'; uri: string }
)

const EXCHANGE =
  'A transfer from an exchange goes back to the exchange: move the money to your own wallet first.'

const NOTES = {
  authorization:
    'Sign, and pay no fee. The contract records you, so you can get a refund without any verifier.',
  calls: 'The contract records you, so you can get a refund without any verifier.',
  transfer: `The contract does not record you. If the campaign fails, its verifiers must sign your refund. ${EXCHANGE}`,
  afterDeadline: `The deadline of the escrow is over, so the contract records no more donors. If the campaign fails, its verifiers must sign your refund. ${EXCHANGE}`,
  afterClosing: (surplusTo: string) =>
    `The escrow has paid a milestone or has failed, so the contract records no more donors. After a failure, its verifiers must sign your refund, which may be only a share. After the last milestone, and until the escrow is closed, what you pay goes to ${surplusTo}. ${EXCHANGE}`,
} as const

const RELAY = 'donateWithAuthorization(address,address,uint256,uint256,bytes32,bytes)'

/**
 * The lead of a chain's clock is rounded up to a multiple of this, so that two answers rarely
 * differ.
 */
const LEAD_STEP_MS = 600_000

/**
 * The ways to pay an intent, the best first. Null if the campaign has no escrow. Only a transfer is
 * possible after the first release, a failure or the deadline, and for an asset that the escrow
 * does not hold. Asks no node: the authorization is included if the token's domain was read before.
 *
 * @param uri the transfer as an EIP-681 link
 */
export const paymentMethods = (
  ctx: Context,
  row: DonationRow,
  uri: string,
): PaymentMethod[] | null => {
  const { escrowTerms, campaignAccount: account, donorWallet: donor } = row
  if (!escrowTerms || account === undefined) return null
  const terms = unpackTerms(escrowTerms)
  const byTransfer = (note: string) =>
    ({ method: 'transfer', refund: 'by_verifiers', note, uri }) as const
  if (row.escrowClosed) {
    const surplusTo = terms.surplusToRecipient ? 'the recipient' : 'all donors'
    return [byTransfer(NOTES.afterClosing(surplusTo))]
  }
  const leadMs = chainLeadMs(ctx, row.newestBlockAt ?? null)
  const now = Math.floor((ctx.clock.now().getTime() + leadMs) / 1_000)
  if (now > terms.deadline) return [byTransfer(NOTES.afterDeadline)]
  const isHeld = ctx.settings.assets.byId(row.declaredAssetId).address === terms.asset
  if (!isHeld || donor === null) return [byTransfer(NOTES.transfer)]
  // The contract takes donations until the deadline, that second included.
  const steadyLeadMs = Math.ceil(leadMs / LEAD_STEP_MS) * LEAD_STEP_MS
  const expiry = Math.ceil((row.expiresAt.getTime() + steadyLeadMs) / 1_000)
  const validBefore = Math.min(expiry, terms.deadline + 1)
  const payment = { ...row, account, donor, terms, packed: escrowTerms, validBefore }
  const domain = ctx.contracts.knownTokenDomain({ chainId: row.chainId, address: terms.asset })
  const authorization = domain && now < validBefore ? [byAuthorization(payment, domain)] : []
  return [...authorization, byCalls(payment), byTransfer(NOTES.transfer)]
}

type Payment = DonationRow & {
  account: string
  donor: string
  terms: EscrowTerms
  packed: string
  /** The first second at which the token refuses the authorization. */
  validBefore: number
}

const byAuthorization = (payment: Payment, domain: TokenDomain): PaymentMethod => {
  const { id, account, donor, declaredAmount, validBefore } = payment
  const [from, escrow] = [toChecksumAddress(donor), toChecksumAddress(account)]
  const authorization = {
    ...{ escrow, from, refundTo: from },
    amount: BigInt(declaredAmount),
    validBefore,
    salt: authorizationSalt(id),
  }
  const { amount, salt } = authorization
  return {
    method: 'authorization',
    refund: 'on_chain',
    note: NOTES.authorization,
    typedData: authorizationTypedData(
      { ...domain, verifyingContract: toChecksumAddress(domain.verifyingContract) },
      authorization,
    ),
    relay: {
      calls: deploymentOf(payment).map(toWalletCall),
      to: escrow,
      function: RELAY,
      arguments: [from, from, amount.toString(), String(validBefore), salt],
    },
  }
}

const byCalls = (payment: Payment): PaymentMethod => {
  const { chainId, account, donor, terms } = payment
  const amount = BigInt(payment.declaredAmount)
  const calls = [
    ...deploymentOf(payment),
    approveCall(terms.asset, account, amount),
    donateCall(account, { amount, refundTo: donor }),
  ]
  return {
    method: 'calls',
    refund: 'on_chain',
    note: NOTES.calls,
    sendCalls: {
      version: '2.0.0',
      chainId: `0x${chainId.toString(16)}`,
      from: toChecksumAddress(donor),
      atomicRequired: false,
      calls: calls.map(toWalletCall),
    },
  }
}

/** A call to an address without code does nothing and succeeds, so the deployment comes first. */
const deploymentOf = ({ escrowDeployed, packed }: Payment): Call[] =>
  escrowDeployed ? [] : [deployCall(packed)]

const toWalletCall = ({ to, data }: Call): WalletCall => ({
  ...{ to: toChecksumAddress(to), data },
  value: '0x0',
})
