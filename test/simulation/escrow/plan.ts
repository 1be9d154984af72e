import type { Random } from '../../support/random.ts'

/** The terms of an escrow, made from the seed. Amounts are in whole USDC, times in seconds. */
export type EscrowPlan = {
  target: number
  milestones: { amount: number; required: number }[]
  surplusToRecipient: boolean
  quorum: number
  /** Seconds after the start of the chain. */
  deadlineS: number
  activateByS: number
  expiryS: number
}

/** The calls of an escrow that actors send. */
export const ESCROW_STEPS = [
  'deploy',
  'activate',
  'release',
  'reject',
  'surplus',
  'close',
  'cancel',
  'terminate',
  'refund',
  'return',
] as const
export type EscrowStep = (typeof ESCROW_STEPS)[number]

export type EscrowAction =
  | {
      kind: 'give'
      donor: number
      escrow: number
      /** The amount in hundredths of a USDC, or in hundredths of a thousandth of an ETH. */
      amount: number
      /** How the donor pays. `bundle`: plain transfers of two donors in one transaction. */
      by: 'transfer' | 'bundle' | 'donate' | 'authorization' | 'ether' | 'other-token'
      /** The donor who would get the refund, or the second donor of a bundle. */
      refundTo: number
      recorded: 'no' | 'yes' | 'twice'
    }
  | {
      kind: 'escrow'
      escrow: number
      step: EscrowStep
      milestone: number
      /** Bit i is set if verifier i signs. A call with too few signatures reverts. */
      signers: number
      donor: number
    }

export const ESCROWS = 2
export const VERIFIERS = 3
const DAY_S = 86_400
const HOUR_S = 3_600

export const writeEscrowPlan = (random: Random): EscrowPlan => {
  const target = random.pick([50, 100, 200, 1_500])
  const first = random.int(1, target - 1)
  const deadlineS = random.pick([HOUR_S, 30 * DAY_S, 30 * DAY_S])
  const activateByS = deadlineS + random.pick([0, HOUR_S, DAY_S])
  return {
    target,
    milestones: [
      { amount: first, required: 1 },
      { amount: target - first, required: 2 },
    ],
    surplusToRecipient: random.chance(0.5),
    quorum: random.int(Math.floor(VERIFIERS / 2) + 1, VERIFIERS),
    deadlineS,
    activateByS,
    expiryS: activateByS + random.pick([0, HOUR_S, 30 * DAY_S]),
  }
}

/** The relative frequency of each call. Calls that end an escrow are rare. */
const STEP_WEIGHTS: Readonly<Record<EscrowStep, number>> = {
  deploy: 10,
  activate: 6,
  release: 24,
  reject: 2,
  surplus: 3,
  close: 3,
  cancel: 1,
  terminate: 1,
  refund: 6,
  return: 8,
}
const STEP_TOTAL = Object.values(STEP_WEIGHTS).reduce((sum, weight) => sum + weight, 0)

export const writeGift = (random: Random, donors: number): EscrowAction => ({
  kind: 'give',
  donor: random.int(0, donors - 1),
  escrow: random.int(0, ESCROWS - 1),
  amount: random.int(1, 30_000),
  by: random.pick([
    'transfer',
    'transfer',
    'bundle',
    'bundle',
    'donate',
    'donate',
    'authorization',
    'authorization',
    'ether',
    'other-token',
  ]),
  refundTo: random.int(0, donors - 1),
  recorded: random.pick(['no', 'yes', 'yes', 'twice']),
})

export const writeStep = (random: Random, donors: number): EscrowAction => {
  let rest = random.next() * STEP_TOTAL
  const step = ESCROW_STEPS.find((one) => {
    rest -= STEP_WEIGHTS[one]
    return rest < 0
  })
  return {
    kind: 'escrow',
    escrow: random.int(0, ESCROWS - 1),
    step: step ?? 'release',
    milestone: random.int(0, 1),
    signers: random.chance(0.7) ? 2 ** VERIFIERS - 1 : random.int(0, 2 ** VERIFIERS - 1),
    donor: random.int(0, donors - 1),
  }
}
