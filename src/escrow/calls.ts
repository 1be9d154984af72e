import type { Hex } from '../../contracts-abi/index.ts'
import { ESCROW_ABI, FACTORY_ABI, TOKEN_ABI } from './abi.ts'
import { FACTORY } from './address.ts'
import type { Returns } from './typed-data.ts'

/** A call without value that any account may send, unless its function says otherwise. */
export type Call = { to: string; data: Hex; value: '0' }

/** A verifier's signature; `verifier` is the position in the terms' list of verifiers. */
export type VerifierSignature = { verifier: number; data: string }

/** Deploys the escrow of packed terms. Does nothing if the escrow is already deployed. */
export const deployCall = (packed: string): Call =>
  callOf(FACTORY, FACTORY_ABI.encodeFunctionData('deploy', [packed]))

/** Allows an escrow to take `amount` base units of a token from the sender, for `donate`. */
export const approveCall = (token: string, spender: string, amount: bigint): Call =>
  callOf(token, TOKEN_ABI.encodeFunctionData('approve', [spender, amount]))

/** The sender pays `amount` base units, which it must have approved before. */
export const donateCall = (
  escrow: string,
  { amount, refundTo }: { amount: bigint; refundTo: string },
): Call => escrowCall(escrow, 'donate', [amount, refundTo])

/** Activates an escrow that holds its target. */
export const activateCall = (escrow: string): Call => escrowCall(escrow, 'activate', [])

/** Releases a milestone (from 0). `validUntil` is the signed Unix time in seconds. */
export const releaseCall = (
  escrow: string,
  release: {
    milestone: number
    evidenceHash: string
    validUntil: number
    signatures: readonly VerifierSignature[]
  },
): Call => {
  const { milestone, evidenceHash, validUntil, signatures } = release
  return escrowCall(escrow, 'release', [milestone, evidenceHash, validUntil, inOrder(signatures)])
}

/** Rejects the evidence of a milestone (from 0), which ends the round of its approvals. */
export const rejectCall = (
  escrow: string,
  {
    milestone,
    evidenceHash,
    signature,
  }: { milestone: number; evidenceHash: string; signature: VerifierSignature },
): Call => escrowCall(escrow, 'reject', [milestone, evidenceHash, tupleOf(signature)])

/**
 * Pays the money above the sum of the milestones to the recipient, when all milestones are
 * released.
 */
export const releaseSurplusCall = (escrow: string): Call => escrowCall(escrow, 'releaseSurplus', [])

/** Ends an escrow whose time is over, so that donors get refunds. */
export const closeCall = (escrow: string): Call => escrowCall(escrow, 'close', [])

/** Ends an escrow, so that donors get refunds. Only the terms' creator may send this call. */
export const cancelCall = (escrow: string): Call => escrowCall(escrow, 'cancel', [])

/** Ends an escrow by the quorum of its verifiers. `validUntil` is the signed Unix time. */
export const terminateCall = (
  escrow: string,
  termination: {
    reasonHash: string
    validUntil: number
    signatures: readonly VerifierSignature[]
  },
): Call => {
  const { reasonHash, validUntil, signatures } = termination
  return escrowCall(escrow, 'terminate', [reasonHash, validUntil, inOrder(signatures)])
}

/** Pays the refund of a donor that the contract has recorded, to this donor. */
export const refundCall = (escrow: string, donor: string): Call =>
  escrowCall(escrow, 'refund', [donor])

/**
 * Pays back transfers that the contract has not recorded, in the order that was signed. The call
 * reverts if the contract refuses one of them.
 */
export const returnTransfersCall = (
  escrow: string,
  returns: Returns & { signatures: readonly VerifierSignature[] },
): Call => {
  const list = returns.list.map((one) => [
    one.asset,
    one.receiver,
    one.amount,
    one.transaction,
    one.position,
  ])
  return escrowCall(escrow, 'returnTransfers', [
    list,
    returns.validUntil,
    inOrder(returns.signatures),
  ])
}

const escrowCall = (escrow: string, name: string, args: readonly unknown[]): Call =>
  callOf(escrow, ESCROW_ABI.encodeFunctionData(name, args))

/** ethers writes hex in lower case with 0x. */
const callOf = (to: string, data: string): Call => ({ to, data: data as Hex, value: '0' })

const tupleOf = ({ verifier, data }: VerifierSignature): [number, string] => [verifier, data]

/** The contract takes signatures only in the order of the terms' verifiers. */
const inOrder = (signatures: readonly VerifierSignature[]): [number, string][] =>
  signatures.toSorted((a, b) => a.verifier - b.verifier).map(tupleOf)
