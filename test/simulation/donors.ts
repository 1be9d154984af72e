import { selectors } from '../../contracts-abi/index.ts'
import type { Random } from '../support/random.ts'
import { encodeAddressAmount, type Signed, type TestChain } from '../support/test-chain.ts'
import { TOKEN } from '../support/world.ts'
import { EURC } from './chain.ts'

/** The payment of a signed transaction. `campaign` is null if it pays no campaign. */
export type Payment = {
  hash: string
  /** The account that pays. Another account may send the transaction. */
  from: string
  donor: number
  campaign: number | null
  asset: 'USDC' | 'ETH' | 'EURC'
  amount: bigint
  /** The transfer of a second donor in the same transaction. */
  second?: { from: string; donor: number; amount: bigint }
}

type Wanted = Pick<Payment, 'campaign' | 'asset' | 'amount' | 'second'>
type Gift = Wanted & Pick<Payment, 'donor'>
type Call = { to: string; data?: string; value?: bigint; gasLimit?: bigint }
type Slot = { signed: Signed; payment: Payment; call: Call }

const FIRST_ACCOUNT = 1
const GAS_PRICE = 20_000_000_000n
const CALL_GAS = 700_000n

/**
 * The wallets of donors, followed by those of accounts that call escrows. Until a block contains a
 * transaction, another one with the same nonce may replace it. The object knows every payment that
 * was ever signed, because each credit of the service must be one of these payments, in a canonical
 * block.
 */
export type Donors = {
  /** Every signed payment by hash, in the order of signing. */
  readonly signed: ReadonlyMap<string, Payment>
  address(wallet: number): string
  pay(donor: number, wanted: Wanted): Promise<Payment>
  /** Sends a call from a wallet. `gift` is the payment that the call makes if it succeeds. */
  call(wallet: number, call: { to: string; data: string }, gift?: Gift): Promise<Payment>
  /** Replaces the newest transaction of the donor, unless a block contains it. */
  replace(donor: number, how: 'speed-up' | 'cancel' | 'other', campaign: number): Promise<void>
  /**
   * For each wallet, the first `share` of its transactions above `ancestor`, to keep in another
   * branch.
   */
  keep(ancestor: number, share: number): Promise<Signed[]>
  /**
   * Sends all transactions again that no block contains, some of them replaced by another payment
   * with the same nonce. Returns the number of these transactions.
   */
  resend(random: Random, replaced: number): Promise<number>
}

export const createDonors = (
  chain: TestChain,
  count: number,
  accounts: readonly string[],
): Donors => {
  const wallets: Slot[][] = Array.from({ length: count }, () => [])
  const signed = new Map<string, Payment>()
  const address = (wallet: number): string => chain.addressOf(wallet + FIRST_ACCOUNT)

  /**
   * Each transaction has a higher gas price than all earlier ones, so nodes accept it as a
   * replacement.
   */
  const sign = async (wallet: number, nonce: number, call: Call, gift: Gift): Promise<Slot> => {
    const gasPrice = GAS_PRICE * BigInt(signed.size + 2)
    const one = await chain.sign(wallet + FIRST_ACCOUNT, { gasPrice, ...call }, nonce)
    const payment = { hash: one.hash, from: address(gift.donor), ...gift }
    signed.set(one.hash, payment)
    return { signed: one, payment, call }
  }

  const callOf = (donor: number, { campaign, asset, amount }: Wanted): Call => {
    const to = campaign === null ? address(donor) : (accounts[campaign] ?? '')
    return asset === 'ETH'
      ? { to, value: amount }
      : {
          to: asset === 'EURC' ? EURC : TOKEN,
          data: encodeAddressAmount(selectors.transfer, to, amount),
        }
  }

  const push = async (wallet: number, call: Call, gift: Gift): Promise<Payment> => {
    const slots = wallets[wallet] ?? []
    const slot = await sign(wallet, slots.length, call, gift)
    slots.push(slot)
    await chain.send(slot.signed)
    return slot.payment
  }

  const countAt = async (wallet: number, block: number | 'latest'): Promise<number> => {
    const at = typeof block === 'number' ? `0x${block.toString(16)}` : block
    return Number(await chain.call<string>('eth_getTransactionCount', [address(wallet), at]))
  }

  return {
    signed,
    address,
    pay: (donor, wanted) => push(donor, callOf(donor, wanted), { donor, ...wanted }),
    call: (wallet, { to, data }, gift) =>
      push(
        wallet,
        { to, data, gasLimit: CALL_GAS },
        gift ?? { donor: wallet, campaign: null, asset: 'USDC', amount: 0n },
      ),
    async replace(donor, how, campaign) {
      const wallet = wallets[donor] ?? []
      const last = wallet.at(-1)
      if (!last || (await countAt(donor, 'latest')) >= wallet.length) return
      const { payment, call } = last
      const wanted: Gift =
        how === 'speed-up'
          ? payment
          : { donor, campaign: how === 'cancel' ? null : campaign, asset: 'ETH', amount: 1_000n }
      const { campaign: paid, asset, amount, second } = wanted
      const gift: Gift = {
        ...{ donor: wanted.donor, campaign: paid, asset, amount },
        ...(second ? { second } : {}),
      }
      const same = how === 'speed-up' ? call : callOf(donor, gift)
      const slot = await sign(donor, wallet.length - 1, same, gift)
      wallet[wallet.length - 1] = slot
      await chain.send(slot.signed)
    },
    async keep(ancestor, share) {
      const kept: Signed[] = []
      for (const [index, wallet] of wallets.entries()) {
        const [from, to] = [await countAt(index, ancestor), await countAt(index, 'latest')]
        const most = from + Math.floor((to - from) * share)
        kept.push(...wallet.slice(from, most).map((slot) => slot.signed))
      }
      return kept
    },
    async resend(random, replaced) {
      let open = 0
      for (const [index, wallet] of wallets.entries()) {
        for (let nonce = await countAt(index, 'latest'); nonce < wallet.length; nonce++) {
          open += 1
          if (random.chance(replaced)) {
            const gift: Gift = {
              donor: index,
              campaign: random.int(0, accounts.length - 1),
              asset: 'USDC',
              amount: BigInt(random.int(1, 99_999_999)),
            }
            wallet[nonce] = await sign(index, nonce, callOf(index, gift), gift)
          }
          const raw = wallet[nonce]?.signed
          // Ignores the error, because the node refuses a transaction that its pool still has.
          if (raw) await chain.send(raw).catch(() => undefined)
        }
      }
      return open
    },
  }
}
