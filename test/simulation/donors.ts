import { selectors } from '../../contracts-abi/index.ts'
import type { Random } from '../support/random.ts'
import { encodeAddressAmount, type Signed, type TestChain } from '../support/test-chain.ts'
import { TOKEN } from '../support/world.ts'

/** What a signed transaction does: pays a campaign, or, where that is null, nobody of interest. */
export type Payment = {
  hash: string
  from: string
  donor: number
  campaign: number | null
  asset: 'USDC' | 'ETH'
  amount: bigint
}

type Wanted = Pick<Payment, 'campaign' | 'asset' | 'amount'>
type Slot = { signed: Signed; payment: Payment }

const FIRST_ACCOUNT = 1
const GAS_PRICE = 20_000_000_000n

/**
 * The donors' wallets: each transaction has its nonce, and may be replaced by another with the same
 * one until a block holds it. Knows every payment that was ever signed: whatever the service
 * credits must be one of them, in a block that the chain holds.
 */
export type Donors = {
  /** Every payment ever signed, by hash, in the order of signing. */
  readonly signed: ReadonlyMap<string, Payment>
  address(donor: number): string
  pay(donor: number, wanted: Wanted): Promise<Payment>
  /** Puts another transaction in the place of the donor's newest, if no block holds that yet. */
  replace(donor: number, how: 'speed-up' | 'cancel' | 'other', campaign: number): Promise<void>
  /** The first share of what blocks above `ancestor` hold of each donor, for another branch to hold. */
  keep(ancestor: number, share: number): Promise<Signed[]>
  /** Sends again what no block holds, some of it as another payment with the same nonce. */
  resend(random: Random, replaced: number): Promise<void>
}

export const createDonors = (
  chain: TestChain,
  count: number,
  accounts: readonly string[],
): Donors => {
  const wallets: Slot[][] = Array.from({ length: count }, () => [])
  const signed = new Map<string, Payment>()
  const address = (donor: number): string => chain.addressOf(donor + FIRST_ACCOUNT)

  /** Every transaction outbids those before it, so that a node takes it in their place. */
  const sign = async (donor: number, nonce: number, wanted: Wanted): Promise<Slot> => {
    const { campaign, asset, amount } = wanted
    const to = campaign === null ? address(donor) : (accounts[campaign] ?? '')
    const gasPrice = GAS_PRICE * BigInt(signed.size + 2)
    const one = await chain.sign(
      donor + FIRST_ACCOUNT,
      asset === 'ETH'
        ? { gasPrice, to, value: amount }
        : { gasPrice, to: TOKEN, data: encodeAddressAmount(selectors.transfer, to, amount) },
      nonce,
    )
    const payment = { hash: one.hash, from: one.from, donor, ...wanted }
    signed.set(one.hash, payment)
    return { signed: one, payment }
  }

  const countAt = async (donor: number, block: number | 'latest'): Promise<number> => {
    const at = typeof block === 'number' ? `0x${block.toString(16)}` : block
    return Number(await chain.call<string>('eth_getTransactionCount', [address(donor), at]))
  }

  return {
    signed,
    address,
    async pay(donor, wanted) {
      const wallet = wallets[donor] ?? []
      const slot = await sign(donor, wallet.length, wanted)
      wallet.push(slot)
      await chain.send(slot.signed)
      return slot.payment
    },
    async replace(donor, how, campaign) {
      const wallet = wallets[donor] ?? []
      const last = wallet.at(-1)
      if (!last || (await countAt(donor, 'latest')) >= wallet.length) return
      const { payment } = last
      const wanted: Wanted =
        how === 'speed-up'
          ? { campaign: payment.campaign, asset: payment.asset, amount: payment.amount }
          : { campaign: how === 'cancel' ? null : campaign, asset: 'ETH', amount: 1_000n }
      const slot = await sign(donor, wallet.length - 1, wanted)
      wallet[wallet.length - 1] = slot
      await chain.send(slot.signed)
    },
    async keep(ancestor, share) {
      const kept: Signed[] = []
      for (const [donor, wallet] of wallets.entries()) {
        const [from, to] = [await countAt(donor, ancestor), await countAt(donor, 'latest')]
        const most = from + Math.floor((to - from) * share)
        kept.push(...wallet.slice(from, most).map((slot) => slot.signed))
      }
      return kept
    },
    async resend(random, replaced) {
      for (const [donor, wallet] of wallets.entries()) {
        for (let nonce = await countAt(donor, 'latest'); nonce < wallet.length; nonce++) {
          if (random.chance(replaced)) {
            const wanted: Wanted = {
              campaign: random.int(0, accounts.length - 1),
              asset: 'USDC',
              amount: BigInt(random.int(1, 99_999_999)),
            }
            wallet[nonce] = await sign(donor, nonce, wanted)
          }
          const raw = wallet[nonce]?.signed
          // What the pool holds still is refused as known.
          if (raw) await chain.send(raw).catch(() => undefined)
        }
      }
    },
  }
}
