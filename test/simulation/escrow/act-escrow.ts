import { AbiCoder, id, keccak256 } from 'ethers'
import { testToken } from '../../../contracts-abi/index.ts'
import {
  activateCall,
  type Call,
  cancelCall,
  claimCall,
  closeCall,
  deployCall,
  donateCall,
  donateWithAuthorizationCall,
  proposeRootCall,
  refundCall,
  rejectCall,
  releaseCall,
  releaseSurplusCall,
  terminateCall,
  vetoRootCall,
} from '../../../src/chain/escrow/calls.ts'
import { refundRoot, refundTree } from '../../../src/chain/escrow/merkle.ts'
import {
  refundRootTypedData,
  refundRootVetoTypedData,
  rejectionTypedData,
  releaseTypedData,
  terminationTypedData,
} from '../../../src/chain/escrow/typed-data.ts'
import { encodeAddressAmount } from '../../support/test-chain.ts'
import { keyOf } from '../../support/test-wallets.ts'
import { TEST_CHAIN, TOKEN } from '../../support/world.ts'
import type { Payment } from '../donors.ts'
import { CAMPAIGNS, DONORS } from '../script.ts'
import type { Simulation } from '../world.ts'
import { readView, type SimulatedEscrow, signBy } from './escrows.ts'
import { claimsOf, readFacts } from './facts.ts'
import type { EscrowAction } from './plan.ts'

type Of<K extends EscrowAction['kind']> = Extract<EscrowAction, { kind: K }>

/** Wallets after those of the donors: one sends calls for all, and the creator may cancel. */
export const RELAYER = DONORS
const CREATOR = DONORS + 1

const CENT = 10_000n
const MILLI_ETHER_HUNDREDTH = 10n ** 13n
const EVIDENCE = id('simulated evidence')
const REASON = id('simulated reason')
const APPROVE = id('approve(address,uint256)').slice(0, 10)
const ALL = 2n ** 255n

/** Lets every donor's allowance reach every escrow. `mine` comes later. */
export const approveAll = async ({
  donors,
  escrows,
}: Pick<Simulation, 'donors' | 'escrows'>): Promise<void> => {
  for (let donor = 0; donor < DONORS; donor++) {
    for (const { account } of escrows) {
      await donors.call(donor, { to: TOKEN, data: encodeAddressAmount(APPROVE, account, ALL) })
    }
  }
}

/** Pays an escrow in one of its ways. Undefined if the escrow of the action is not there. */
export const give = async (
  { donors, escrows }: Simulation,
  action: Of<'give'>,
): Promise<Payment | undefined> => {
  const escrow = escrows[action.escrow]
  if (!escrow) return undefined
  const { donor } = action
  const campaign = CAMPAIGNS + action.escrow
  const refundTo = donors.address(action.refundTo)
  if (action.by === 'ether') {
    const amount = BigInt(action.amount) * MILLI_ETHER_HUNDREDTH
    return donors.pay(donor, { campaign, asset: 'ETH', amount })
  }
  const amount = BigInt(action.amount) * CENT
  const gift = { donor, campaign, asset: 'USDC', amount } as const
  if (action.by === 'transfer') return donors.pay(donor, gift)
  if (action.by === 'donate') {
    return donors.call(donor, donateCall(escrow.account, { amount, refundTo }), gift)
  }
  const from = donors.address(donor)
  const salt = id(`gift ${donors.signed.size}`)
  const validBefore = BigInt(escrow.terms.expiry)
  const words = AbiCoder.defaultAbiCoder().encode(
    ['address', 'address', 'bytes32'],
    [escrow.account, refundTo, salt],
  )
  const signature = await keyOf(donor + 1).signTypedData(
    {
      name: testToken.name,
      version: testToken.version,
      chainId: TEST_CHAIN.id,
      verifyingContract: TOKEN,
    },
    { ReceiveWithAuthorization: AUTHORIZATION },
    {
      from,
      to: escrow.account,
      value: amount,
      validAfter: 0,
      validBefore,
      nonce: keccak256(words),
    },
  )
  const call = { from, refundTo, amount, validBefore, salt, signature }
  return donors.call(RELAYER, donateWithAuthorizationCall(escrow.account, call), gift)
}

const AUTHORIZATION = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
]

/** Sends a call of an escrow, whether or not the contract will take it. */
export const callEscrow = async (simulation: Simulation, action: Of<'escrow'>): Promise<void> => {
  const escrow = simulation.escrows[action.escrow]
  if (!escrow) return
  const call = await callOf(simulation, escrow, action)
  if (call) await simulation.donors.call(action.step === 'cancel' ? CREATOR : RELAYER, call)
}

const domainOf = ({ account, terms }: SimulatedEscrow) => ({
  chainId: TEST_CHAIN.id,
  escrow: account,
  campaign: terms.campaign,
})

const callOf = async (
  simulation: Simulation,
  escrow: SimulatedEscrow,
  { step, milestone, signers, donor }: Of<'escrow'>,
): Promise<Call | undefined> => {
  const { chain, donors } = simulation
  const { account, terms } = escrow
  const domain = domainOf(escrow)
  switch (step) {
    case 'deploy':
      return deployCall(escrow.packed)
    case 'activate':
      return activateCall(account)
    case 'surplus':
      return releaseSurplusCall(account)
    case 'close':
      return closeCall(account)
    case 'cancel':
      return cancelCall(account)
    case 'refund':
      return refundCall(account, donors.address(donor))
    case 'release': {
      const round = await roundOf(simulation, escrow, milestone)
      const { amount = 0n } = terms.milestones[milestone] ?? {}
      const { asset, recipient, expiry: validUntil } = terms
      const facts = { milestone, round, asset, amount, recipient, evidenceHash: EVIDENCE }
      const data = releaseTypedData(domain, { ...facts, validUntil })
      const signatures = await signBy(escrow, signers, data)
      return releaseCall(account, { milestone, evidenceHash: EVIDENCE, validUntil, signatures })
    }
    case 'reject': {
      const round = await roundOf(simulation, escrow, milestone)
      const data = rejectionTypedData(domain, { milestone, round, evidenceHash: EVIDENCE })
      const [signature] = await signBy(escrow, signers & -signers, data)
      return signature && rejectCall(account, { milestone, evidenceHash: EVIDENCE, signature })
    }
    case 'terminate': {
      const data = terminationTypedData(domain, { reasonHash: REASON })
      const signatures = await signBy(escrow, signers, data)
      return terminateCall(account, { reasonHash: REASON, signatures })
    }
    case 'root':
      return proposeRoot(simulation, escrow, signers)
    case 'veto': {
      const [root] = (await readView(chain, account, 'pendingRoot')) ?? []
      const [next] = (await readView(chain, account, 'rootIndex')) ?? []
      if (root === undefined || next === undefined || next === 0n) return undefined
      const facts = { index: Number(next) - 1, root: String(root) }
      const [signature] = await signBy(
        escrow,
        signers & -signers,
        refundRootVetoTypedData(domain, facts),
      )
      return signature && vetoRootCall(account, signature)
    }
    case 'claim': {
      const [root] = (await readView(chain, account, 'root')) ?? []
      const leaves = simulation.roots.get(String(root)) ?? []
      const leaf = leaves.find((one) => one.donor === donors.address(donor))
      if (!leaf) return undefined
      const { asset, amount: cumulative } = leaf
      const proof = (await refundTree(leaves)).proofOf(leaf) ?? []
      return claimCall(account, { asset, donor: leaf.donor, cumulative: BigInt(cumulative), proof })
    }
  }
}

const roundOf = async (
  { chain }: Simulation,
  { account }: SimulatedEscrow,
  milestone: number,
): Promise<number> => Number((await readView(chain, account, 'round', [milestone]))?.[0] ?? 0)

/** Proposes the root that the final blocks of this moment give, computed by the actors alone. */
const proposeRoot = async (
  simulation: Simulation,
  escrow: SimulatedEscrow,
  signers: number,
): Promise<Call | undefined> => {
  const { chain, script, roots } = simulation
  const final = Math.max(0, (await chain.head()) - 2 * script.slotsInEpoch)
  const [index] = (await readView(chain, escrow.account, 'rootIndex')) ?? []
  const claims = claimsOf(await readFacts(chain, escrow, final))
  if (index === undefined || claims.size === 0) return undefined
  const leaves = [...claims].map(([donor, amount]) => ({
    asset: TOKEN,
    donor,
    amount: amount.toString(),
  }))
  const root = await refundRoot(leaves)
  roots.set(root, leaves)
  const dataHash = id(`final block ${final}`)
  const facts = { index: Number(index), root, dataHash }
  const data = refundRootTypedData(domainOf(escrow), facts)
  const signatures = await signBy(escrow, signers, data)
  return proposeRootCall(escrow.account, { root, dataHash, signatures })
}
