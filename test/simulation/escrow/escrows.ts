import { createHash } from 'node:crypto'
import { type HDNodeWallet, Interface, keccak256, type TypedDataField, toUtf8Bytes } from 'ethers'
import { escrow as escrowContract, escrowFactory } from '../../../contracts-abi/index.ts'
import { escrowAddress } from '../../../src/escrow/address.ts'
import type { VerifierSignature } from '../../../src/escrow/calls.ts'
import { checkTerms, type EscrowTerms, packTerms } from '../../../src/escrow/terms.ts'
import type { TypedData } from '../../../src/kernel/ports/signatures.ts'
import type { TestChain } from '../../support/test-chain.ts'
import { keyOf } from '../../support/test-wallets.ts'
import { TOKEN } from '../../support/world.ts'
import { type EscrowPlan, VERIFIERS } from './plan.ts'

/** An escrow of a run. Its campaign id, and therefore its address, depend only on its number. */
export type SimulatedEscrow = {
  campaignId: string
  account: string
  terms: EscrowTerms
  packed: ReturnType<typeof packTerms>
  /** The verifiers' keys in the order of the terms. */
  verifiers: readonly HDNodeWallet[]
}

/** The base units of one USDC. */
export const USDC = 1_000_000n
const VERIFIER_ACCOUNTS = [0, 8, 9]
const CREATOR_ACCOUNT = 7
const VIEWS = new Interface(escrowContract.abi)

const hexOf = (text: string, digits: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, digits)

/** Makes the escrow with this number. `startS` is the time of the chain's start. */
export const planEscrow = (plan: EscrowPlan, index: number, startS: number): SimulatedEscrow => {
  const campaignId = `00000000-0000-7000-8000-${hexOf(`simulated escrow ${index}`, 12)}`
  const verifiers = VERIFIER_ACCOUNTS.slice(0, VERIFIERS)
    .map(keyOf)
    .sort((a, b) => (BigInt(a.address) < BigInt(b.address) ? -1 : 1))
  const terms: EscrowTerms = {
    campaign: keccak256(toUtf8Bytes(`http://localhost:3000/campaigns/${campaignId}`)),
    recipient: `0x${hexOf(`simulated recipient ${index}`, 40)}`,
    creator: keyOf(CREATOR_ACCOUNT).address.toLowerCase(),
    asset: TOKEN,
    target: BigInt(plan.target) * USDC,
    deadline: startS + plan.deadlineS,
    activateBy: startS + plan.activateByS,
    expiry: startS + plan.expiryS,
    quorum: plan.quorum,
    surplusToRecipient: plan.surplusToRecipient,
    verifiers: verifiers.map(({ address }) => address.toLowerCase()),
    milestones: plan.milestones.map(({ amount, required }) => ({
      amount: BigInt(amount) * USDC,
      required,
    })),
  }
  const packed = packTerms(terms)
  if (checkTerms(packed) !== 0) throw new Error(`Terms break rule ${checkTerms(packed)}.`)
  return { campaignId, account: escrowAddress(packed), terms, packed, verifiers }
}

/** Deploys the factory at this time. */
export const deployFactory = async (chain: TestChain, atS: number): Promise<void> => {
  const { deploymentProxy: to, deploymentData: data } = escrowFactory
  await chain.send(await chain.sign(0, { to, data, gasLimit: 8_000_000n }))
  await chain.call('evm_setNextBlockTimestamp', [atS])
  await chain.mine()
}

/** Calls a view of an escrow. Undefined while the escrow has no code. */
export const readView = async (
  chain: TestChain,
  account: string,
  name: string,
  args: readonly unknown[] = [],
  block: string = 'latest',
): Promise<readonly unknown[] | undefined> => {
  const call = { to: account, data: VIEWS.encodeFunctionData(name, args) }
  const answer = await chain.call<string>('eth_call', [call, block])
  return answer === '0x' ? undefined : VIEWS.decodeFunctionResult(name, answer)
}

/** Signs typed data with the verifiers whose bits are set. */
export const signBy = (
  { verifiers }: SimulatedEscrow,
  signers: number,
  data: TypedData,
): Promise<VerifierSignature[]> => {
  const { EIP712Domain: _, ...types } = data.types as Record<string, TypedDataField[]>
  return Promise.all(
    verifiers.flatMap((key, verifier) =>
      (signers >> verifier) & 1
        ? [
            key
              .signTypedData(data.domain, types, data.message)
              .then((hex) => ({ verifier, data: hex })),
          ]
        : [],
    ),
  )
}
