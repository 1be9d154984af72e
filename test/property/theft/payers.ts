import { changeDonation, claimDonation } from '../../../src/domain/donations/index.ts'
import { address, txHash } from '../../support/chain-facts.ts'
import { linkWallet } from '../../support/linked-wallet.ts'
import type { Random } from '../../support/random.ts'
import type { Payment, Recorded, TheftWorld, User } from './world.ts'

export const AMOUNTS = ['25', '10.5', '3'] as const
const ROADS = ['guest', 'code', 'account', 'hash', 'typed', 'late'] as const

/** An honest donor during a donation. `steps` are the steps that are left, in order. */
export type Payer = {
  road: (typeof ROADS)[number]
  wallet: string
  payment: Payment | undefined
  steps: (() => Promise<void>)[]
  /** Whether the donor must get the payment without proving the wallet. */
  isSure: boolean
  own: Recorded | undefined
  /** The user who has the donation in the end. */
  user: User
}

/**
 * Makes a donor of a random kind:
 * - `guest` records an intent, pays it and attaches its hash; `code` only pays;
 * - `account` records an intent with an account;
 * - `hash` pays first, and then an account records the hash;
 * - `typed` records one amount and pays another; `late` pays and records nothing.
 */
export const createPayer = async (
  world: TheftWorld,
  random: Random,
  index: number,
): Promise<Payer> => {
  const road = random.pick(ROADS)
  const wallet = address(`wallet ${index}`)
  const user = await world.user()
  const value = random.pick(AMOUNTS)
  const payer: Payer = {
    road,
    wallet,
    user,
    payment: undefined,
    steps: [],
    isSure: true,
    own: undefined,
  }
  const by = road === 'account' || road === 'hash' ? user : ({ kind: 'anonymous' } as const)
  const announce = async () => {
    payer.own = await world.record(by, wallet, value)
  }
  const pay = (units: () => bigint) => async () => {
    payer.payment = { tx: `tx ${index}`, from: wallet, units: units() }
    world.send(payer.payment)
  }
  const asTold = () => payer.own?.units ?? 0n
  const attach = async () => {
    const { own } = payer
    if (!own) return
    const change = { txHash: txHash(`tx ${index}`), claimToken: own.token }
    await changeDonation(world.world.as(own.by), own.id, change)
  }
  const typed = () => BigInt(random.int(1, 40)) * 1_000_000n
  const recordHash = async () => {
    // Another user who records the hash first keeps the payment until the wallet is proven.
    payer.isSure = !(await isNamed(world, payer))
    await world.record(by, wallet, value, payer.payment).then(
      (own) => {
        payer.own = own
      },
      () => {
        payer.isSure = false
      },
    )
  }
  payer.steps = {
    guest: [announce, pay(asTold), attach],
    code: [announce, pay(asTold)],
    account: [announce, pay(asTold), ...(random.chance(0.5) ? [attach] : [])],
    hash: [pay(typed), recordHash],
    typed: [announce, pay(typed)],
    late: [pay(typed)],
  }[road]
  if (road === 'typed' || road === 'late') payer.isSure = false
  return payer
}

const isNamed = async ({ ctx }: TheftWorld, { wallet, payment }: Payer): Promise<boolean> => {
  const rows = await ctx.sql`
    select from donation
    where donor_wallet = ${wallet} and intent or tx_hash = ${txHash(payment?.tx ?? '')}`
  return rows.length > 0
}

/** What a donor does after finality: proves the wallet, or opens the claim link. */
export const claimOwn = async (world: TheftWorld, payer: Payer): Promise<void> => {
  const { user, own, wallet, payment, isSure, road } = payer
  if (!isSure || road === 'code') {
    await linkWallet(world, user.userId, wallet)
    await world.record(user, wallet, '1', payment)
  } else if (own?.token) {
    await claimDonation(world.world.as(user), { token: own.token })
  }
}
