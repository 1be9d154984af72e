import { isFull } from '../support/full.ts'
import { createRandom, type Random } from '../support/random.ts'
import {
  ESCROWS,
  type EscrowAction,
  type EscrowPlan,
  writeEscrowPlan,
  writeGift,
  writeStep,
} from './escrow/plan.ts'

/**
 * The actions of a run. They depend only on the seed, and not on the service, so a seed always
 * gives the same run. A fraction chooses among the objects that exist at that moment.
 */
export type Action =
  | EscrowAction
  | {
      kind: 'pay'
      donor: number
      campaign: number
      asset: 'USDC' | 'ETH'
      /** The amount in hundredths of a USDC, or in hundredths of a thousandth of an ETH. */
      amount: number
      /** Whether and how the donation is recorded before its transaction is mined. */
      recorded: 'no' | 'yes' | 'wrong-amount' | 'twice' | 'by-a-stranger-first'
    }
  | { kind: 'tell'; which: number }
  | { kind: 'tell-nonsense'; campaign: number; number: number }
  | { kind: 'intend'; donor: number; campaign: number; asset: 'USDC' | 'ETH'; amount: number }
  | { kind: 'claim'; which: number }
  | { kind: 'replace'; donor: number; how: 'speed-up' | 'cancel' | 'other' }
  /** Mines blocks. `work`: whether the worker runs after them. */
  | { kind: 'mine'; blocks: number; work: boolean }
  | { kind: 'reorganise'; depth: number; keep: number; replace: number; random: number }
  /** Makes one node lie or fail, while the chain goes on. */
  | { kind: 'fault'; node: number; fault: FaultName; blocks: number }
  /** Makes a beacon node lie or fail, if the chain has a sync committee. */
  | { kind: 'beacon'; feed: number; fault: BeaconFault }
  | { kind: 'outage'; nodes: number }
  | { kind: 'heal' }
  /**
   * Runs the worker that mostly runs, or another worker that still has the knowledge of its last
   * pass.
   */
  | { kind: 'work'; times: number; worker: number }
  | { kind: 'kill'; at: CrashPoint; worker: number }
  | { kind: 'wait'; seconds: number }

export const FAULTS = [
  'rate-limit',
  'unavailable',
  'cut-off',
  'stale',
  'empty-receipts',
  'forged-receipt',
  'forged-log',
  'forged-branch',
  'wrong-chain',
  'backwards',
] as const
/** Faults that would create money if one node alone were believed. */
const LIES = ['forged-branch', 'forged-receipt', 'forged-log'] as const
export type FaultName = (typeof FAULTS)[number]

export const BEACON_FAULTS = [
  'changed-byte',
  'other-committee',
  'old-update',
  'late',
  'away',
] as const
export type BeaconFault = (typeof BEACON_FAULTS)[number]

export const CRASH_POINTS = ['F1', 'F2', 'S1', 'S2', 'R1', 'R2', 'C1', 'C2'] as const
export type CrashPoint = (typeof CRASH_POINTS)[number]

export type Script = {
  seed: number
  /** The final block is twice this number of blocks behind the head. */
  slotsInEpoch: number
  /** Whether a sync committee proves what is final. No reorg then removes a block it signed. */
  hasCommittee: boolean
  escrows: EscrowPlan[]
  actions: Action[]
}

export const DONORS = 5
export const CAMPAIGNS = 3
export const WORKERS = 2
const DEEPEST = 64
const DAY_S = 86_400
/** In fast runs only the beginning of a script is run. */
const MOST_ACTIONS = isFull ? 100 : 60

/** Writes the script of a seed, of about eighty actions in a full run. */
export const writeScript = (seed: number): Script => {
  const random = createRandom(seed)
  const slotsInEpoch = random.pick([1, 1, 1, 2, 4, 32])
  const escrows = Array.from({ length: ESCROWS }, () => writeEscrowPlan(random))
  const actions = Array.from({ length: Math.min(random.int(60, 100), MOST_ACTIONS) }, () =>
    writeAction(random),
  )
  return { seed, slotsInEpoch, hasCommittee: seed % 2 === 0, escrows, actions }
}

/** The relative frequency of each action. */
const WEIGHTS: Readonly<Record<Action['kind'], number>> = {
  pay: 30,
  give: 24,
  escrow: 34,
  tell: 6,
  'tell-nonsense': 1,
  intend: 5,
  claim: 5,
  replace: 4,
  mine: 22,
  reorganise: 7,
  fault: 8,
  beacon: 8,
  outage: 1,
  heal: 6,
  work: 18,
  kill: 4,
  wait: 4,
}
const TOTAL = Object.values(WEIGHTS).reduce((sum, weight) => sum + weight, 0)

const writeAction = (random: Random): Action => {
  let rest = random.next() * TOTAL
  const kinds = Object.entries(WEIGHTS) as [Action['kind'], number][]
  const kind = kinds.find(([, weight]) => {
    rest -= weight
    return rest < 0
  })?.[0]
  return WRITERS[kind ?? 'work'](random)
}

const writeWorker = (random: Random): number =>
  random.chance(0.7) ? 0 : random.int(1, WORKERS - 1)

const WRITERS: { [K in Action['kind']]: (random: Random) => Action } = {
  pay: (random) => ({
    kind: 'pay',
    donor: random.int(0, DONORS - 1),
    campaign: random.int(0, CAMPAIGNS - 1),
    asset: random.chance(0.7) ? 'USDC' : 'ETH',
    amount: random.int(1, 50_000),
    recorded: random.pick([
      'yes',
      'yes',
      'yes',
      'no',
      'no',
      'wrong-amount',
      'twice',
      'by-a-stranger-first',
    ]),
  }),
  give: (random) => writeGift(random, DONORS),
  escrow: (random) => writeStep(random, DONORS),
  tell: (random) => ({ kind: 'tell', which: random.next() }),
  'tell-nonsense': (random) => ({
    kind: 'tell-nonsense',
    campaign: random.int(0, CAMPAIGNS - 1),
    number: random.int(1, 1_000_000),
  }),
  intend: (random) => ({
    kind: 'intend',
    donor: random.int(0, DONORS - 1),
    campaign: random.int(0, CAMPAIGNS - 1),
    asset: random.chance(0.7) ? 'USDC' : 'ETH',
    amount: random.int(1, 50_000),
  }),
  claim: (random) => ({ kind: 'claim', which: random.next() }),
  replace: (random) => ({
    kind: 'replace',
    donor: random.int(0, DONORS - 1),
    how: random.pick(['speed-up', 'cancel', 'other']),
  }),
  mine: (random) => ({ kind: 'mine', blocks: random.int(1, 6), work: random.chance(0.7) }),
  reorganise: (random) => ({
    kind: 'reorganise',
    depth: random.chance(0.4) ? random.int(8, DEEPEST) : random.int(1, 8),
    keep: random.chance(0.5) ? 1 : random.next(),
    replace: random.chance(0.3) ? random.next() : 0,
    random: random.int(1, 2 ** 30),
  }),
  fault: (random) => ({
    kind: 'fault',
    node: random.int(0, 2),
    fault: random.pick(random.chance(0.5) ? LIES : FAULTS),
    blocks: random.int(0, 3),
  }),
  beacon: (random) => ({
    kind: 'beacon',
    feed: random.int(0, 1),
    fault: random.pick(BEACON_FAULTS),
  }),
  outage: (random) => ({ kind: 'outage', nodes: random.int(2, 3) }),
  heal: () => ({ kind: 'heal' }),
  work: (random) => ({ kind: 'work', times: random.int(1, 3), worker: writeWorker(random) }),
  kill: (random) => ({
    kind: 'kill',
    at: random.pick(CRASH_POINTS),
    worker: writeWorker(random),
  }),
  wait: (random) => ({
    kind: 'wait',
    seconds: random.chance(0.1) ? DAY_S : random.int(5, 600),
  }),
}
