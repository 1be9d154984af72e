import { changeDonation, claimDonation } from '../../../src/domain/donations/index.ts'
import { formatUnits } from '../../../src/kernel/money/money.ts'
import { txHash } from '../../support/chain-facts.ts'
import type { Random } from '../../support/random.ts'
import { AMOUNTS, type Payer } from './payers.ts'
import { type Person, type Recorded, type TheftWorld, unlessRefused } from './world.ts'

/**
 * A thief with or without an account, who sees wallets, announced amounts and pending transactions.
 */
export const createThief = (world: TheftWorld, random: Random, by: Person, payers: Payer[]) => {
  const made: Recorded[] = []
  const note = (one: Recorded | undefined) => {
    if (one) made.push(one)
  }
  /**
   * Records an intent in the name of a donor's wallet: with a usual amount, or the exact paid
   * amount.
   */
  const plant = async () => {
    const { wallet, own, payment } = random.pick(payers)
    const seen = [payment?.units, own?.units].filter((units) => units !== undefined)
    const value =
      seen.length > 0 && random.chance(0.6)
        ? formatUnits(random.pick(seen), 6)
        : random.pick(AMOUNTS)
    note(await unlessRefused(world.record(by, wallet, value)))
  }
  const recordHash = async () => {
    if (world.sent.length === 0) return
    const payment = random.pick(world.sent)
    const log = random.chance(0.3) ? random.int(0, 2) : undefined
    note(await unlessRefused(world.record(by, payment.from, '1', payment, log)))
  }
  const attach = async () => {
    if (made.length === 0 || world.sent.length === 0) return
    const { id, token } = random.pick(made)
    const change = { txHash: txHash(random.pick(world.sent).tx), claimToken: token }
    await unlessRefused(changeDonation(world.world.as(by), id, change))
  }
  return {
    act: () => random.pick([plant, plant, recordHash, recordHash, attach])(),
    /** Repeats all attempts for each payment and each donation. */
    async insist(): Promise<void> {
      for (const payment of world.sent) {
        await unlessRefused(world.record(by, payment.from, '1', payment))
      }
      for (const { token } of made) {
        if (token) await unlessRefused(claimDonation(world.world.as(by), { token }))
      }
    },
  }
}
