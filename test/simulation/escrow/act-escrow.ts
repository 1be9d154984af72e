import { AbiCoder, Interface, id, keccak256 } from 'ethers'
import { escrow as escrowContract, testToken } from '../../../contracts-abi/index.ts'
import { testContracts } from '../../../contracts-abi/test-contracts.ts'
import {
  activateCall,
  type Call,
  cancelCall,
  closeCall,
  deployCall,
  donateCall,
  refundCall,
  rejectCall,
  releaseCall,
  releaseSurplusCall,
  returnTransfersCall,
  terminateCall,
} from '../../../src/escrow/calls.ts'
import {
  rejectionTypedData,
  releaseTypedData,
  returnsTypedData,
  terminationTypedData,
} from '../../../src/escrow/typed-data.ts'
import { encodeAddressAmount } from '../../support/test-chain.ts'
import { keyOf } from '../../support/test-wallets.ts'
import { TEST_CHAIN, TOKEN } from '../../support/world.ts'
import { MULTICALL } from '../chain.ts'
import type { Payment } from '../donors.ts'
import { CAMPAIGNS, DONORS } from '../script.ts'
import type { Simulation } from '../world.ts'
import { readView, type SimulatedEscrow, signBy } from './escrows.ts'
import { dueOf, readEther, readFacts } from './facts.ts'
import type { EscrowAction } from './plan.ts'

type Of<K extends EscrowAction['kind']> = Extract<EscrowAction, { kind: K }>

/**
 * The wallets after those of the donors: a relayer, which sends all calls, and the creator, who may
 * cancel.
 */
export const RELAYER = DONORS
const CREATOR = DONORS + 1

const CENT = 10_000n
const MILLI_ETHER_HUNDREDTH = 10n ** 13n
const EVIDENCE = id('simulated evidence')
const REASON = id('simulated reason')
const APPROVE = id('approve(address,uint256)').slice(0, 10)
const ALL = 2n ** 255n

/** Approves every escrow and the multicall for every donor. Does not mine. */
export const approveAll = async ({
  donors,
  escrows,
}: Pick<Simulation, 'donors' | 'escrows'>): Promise<void> => {
  for (let donor = 0; donor < DONORS; donor++) {
    for (const spender of [MULTICALL, ...escrows.map(({ account }) => account)]) {
      await donors.call(donor, { to: TOKEN, data: encodeAddressAmount(APPROVE, spender, ALL) })
    }
  }
}

/** Pays an escrow as the action says. Returns undefined if the escrow does not exist. */
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
  if (action.by === 'other-token') return donors.pay(donor, { campaign, asset: 'EURC', amount })
  const gift = { donor, campaign, asset: 'USDC', amount } as const
  if (action.by === 'bundle') return bundle(donors, escrow.account, gift, action.refundTo)
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
  const data = ESCROW.encodeFunctionData('donateWithAuthorization', [
    from,
    refundTo,
    amount,
    validBefore,
    salt,
    signature,
  ])
  return donors.call(RELAYER, { to: escrow.account, data }, gift)
}

const ESCROW = new Interface(escrowContract.abi)
const MULTI = new Interface(testContracts.multicall.abi)
const TOKENS = new Interface(['function transferFrom(address from, address to, uint256 amount)'])

/** Lets two donors pay in one transaction, with the same amount in half of the cases. */
const bundle = (
  donors: Simulation['donors'],
  account: string,
  gift: Pick<Payment, 'donor' | 'campaign' | 'asset' | 'amount'>,
  other: number,
): Promise<Payment> => {
  const donor = other === gift.donor ? (other + 1) % DONORS : other
  const amount = gift.amount + ((gift.amount / CENT) % 2n)
  const second = { donor, from: donors.address(donor), amount }
  const parts = [{ from: donors.address(gift.donor), amount: gift.amount }, second]
  const calls = parts.map(({ from, amount }) => ({
    ...{ to: TOKEN, value: 0n },
    data: TOKENS.encodeFunctionData('transferFrom', [from, account, amount]),
  }))
  const data = MULTI.encodeFunctionData('run', [calls])
  return donors.call(RELAYER, { to: MULTICALL, data }, { ...gift, second })
}

const AUTHORIZATION = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
]

/** Sends a call of an escrow, also if the contract will refuse it. */
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
  const { donors } = simulation
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
      const ending = { reasonHash: REASON, validUntil: terms.expiry }
      const signatures = await signBy(escrow, signers, terminationTypedData(domain, ending))
      return terminateCall(account, { ...ending, signatures })
    }
    case 'return': {
      const list = await dueReturns(simulation, escrow)
      // In half of the cases, the returns go to another account, which the donor has proven.
      const receivers = list.map((one) => (milestone === 0 ? one.sender : donors.address(donor)))
      const returns = {
        list: list.map((one, index) => ({ ...one, receiver: receivers[index] ?? one.sender })),
        validUntil: terms.expiry + RETURN_S,
      }
      const signatures = await signBy(escrow, signers, returnsTypedData(domain, returns))
      return list.length === 0
        ? undefined
        : returnTransfersCall(account, { ...returns, signatures })
    }
  }
}

const roundOf = async (
  { chain }: Simulation,
  { account }: SimulatedEscrow,
  milestone: number,
): Promise<number> => Number((await readView(chain, account, 'round', [milestone]))?.[0] ?? 0)

/** The number of returns for which the gas of one call is enough. */
export const MOST_RETURNS = 6
/** All runs end within this time after the expiry. */
const RETURN_S = 80 * 86_400

/** The transfers that verifiers may return now, read from final blocks. */
const dueReturns = async (simulation: Simulation, escrow: SimulatedEscrow) => {
  const { chain, script } = simulation
  const final = Math.max(0, (await chain.head()) - 2 * script.slotsInEpoch)
  const facts = await readFacts(chain, escrow, final)
  const due = []
  for (const one of [...facts.transfers, ...(await readEther(simulation, escrow, final))]) {
    const amount = dueOf(facts, one)
    if (amount === null || due.length === MOST_RETURNS) continue
    const { transaction, position } = one
    const [isReturned] =
      (await readView(chain, escrow.account, 'isReturned', [transaction, position])) ?? []
    if (isReturned === false) due.push({ ...one, amount })
  }
  return due
}
