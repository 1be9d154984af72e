import { AbiCoder, id, keccak256 } from 'ethers'
import type { TokenDomain } from '../kernel/ports/contract-reader.ts'
import type { TypedData } from '../kernel/ports/signatures.ts'
import { DOMAIN_FIELDS } from './typed-data.ts'

/** A donation that the donor signs and any account may send. */
type DonationAuthorization = {
  escrow: string
  from: string
  /** The account that gets a refund. */
  refundTo: string
  /** Base units of the token. */
  amount: bigint
  /** The first second in which the token refuses the authorization. */
  validBefore: number
  /** 32 bytes as hex, which make the nonce unique. */
  salt: string
}

/**
 * The salt of a donation. Every authorization for the donation has this salt, so the token accepts
 * only one of them.
 */
export const authorizationSalt = (donationId: string): string => id(donationId)

/** The typed data of `receiveWithAuthorization` (ERC-3009), which the escrow calls. */
export const authorizationTypedData = (
  domain: TokenDomain,
  { escrow, from, refundTo, amount, validBefore, salt }: DonationAuthorization,
) =>
  ({
    domain,
    types: {
      EIP712Domain: DOMAIN_FIELDS,
      ReceiveWithAuthorization: [
        { name: 'from', type: 'address' },
        { name: 'to', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'validAfter', type: 'uint256' },
        { name: 'validBefore', type: 'uint256' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'ReceiveWithAuthorization',
    message: {
      ...{ from, to: escrow, value: amount.toString(), validAfter: '0' },
      validBefore: String(validBefore),
      // The sender of the transaction cannot change `refundTo`, because the nonce contains it.
      nonce: keccak256(
        AbiCoder.defaultAbiCoder().encode(
          ['address', 'address', 'bytes32'],
          [escrow, refundTo, salt],
        ),
      ),
    },
  }) satisfies TypedData
