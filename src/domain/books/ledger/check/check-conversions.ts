import { z } from 'zod'
import type { Queryable } from '../../../../db/client.ts'
import {
  asBaseUnits,
  convertUnits,
  formatPrice,
  type Price,
  parsePrice,
} from '../../../../kernel/money/money.ts'
import { priceAlong } from '../../../../kernel/money/prices.ts'
import { among, type Slice } from '../../ranges/slice.ts'
import { type Check, compareRows } from './check-parts.ts'

/** A credited donation. `amount` is the arrived amount, `credited` the amount after conversion. */
type Row = {
  id: string
  amount: string
  credited: string
  converted: boolean
  price: string | null
  priceSource: unknown
  fromDecimals: number
  toDecimals: number
}

/** One step of a conversion, in the form in which the donation stores it. */
const Step = z.object({
  pair: z.string(),
  inverse: z.boolean(),
  price: z.string(),
  method: z.enum(['block', 'round', 'fixed']),
  answer: z.string().optional(),
  decimals: z.int().min(0).max(77).optional(),
})
type Step = z.output<typeof Step>

const ROWS_AT_ONCE = 1_000
/** A stored price is rounded down by at most `price / KEPT_SHARE + 1 / KEPT_DECIMALS`. */
const KEPT_SHARE = 10n ** 17n
const KEPT_DECIMALS = 10n ** 80n

/** Reports donations whose stored price does not convert the arrived into the credited amount. */
export const checkConversions: Check = (sql, most, slice) =>
  compareRows(readConversions(sql, slice), most, (row) => {
    const recomputed = contradiction(row)
    const stored = row.price ?? 'none'
    return recomputed === null
      ? []
      : [{ what: 'price of donation', id: row.id, stored, recomputed }]
  })

const readConversions = (sql: Queryable, slice?: Slice) =>
  sql<Row[]>`
    select donation.id, credit.amount::text as amount, account.kind = 'exchange' as converted,
           coalesce(conversion.amount, 0)::text as credited, donation.price,
           donation.price_source, arrived.decimals as from_decimals,
           currency.decimals as to_decimals
    from donation
    join standing_entry credit on credit.donation_id = donation.id and credit.kind = 'donation'
    join ledger_account account on account.id = credit.credit_account
    join campaign on campaign.id = donation.campaign_id
    left join standing_entry conversion
      on conversion.donation_id = donation.id and conversion.kind = 'conversion'
    join asset arrived on arrived.id = credit.asset_id
    join asset currency on currency.id = coalesce(conversion.asset_id, campaign.currency_id)
    where (account.kind = 'exchange' or donation.price is not null
        or donation.price_source is not null)
      ${among(sql, 'donation.id', slice, 'donations')}`.cursor(ROWS_AT_ONCE)

/** Returns the price that should be stored, or null if the stored price is right. */
const contradiction = (row: Row): string | null => {
  if (!row.converted) return 'none'
  try {
    const { price, isExact } = priceOf(row)
    if (formatPrice(price) !== row.price) return formatPrice(price)
    return gives(row, price, isExact) ? null : impliedPrice(row)
  } catch {
    return impliedPrice(row)
  }
}

const priceOf = (row: Row): { price: Price; isExact: boolean } => {
  if (row.priceSource === null) return { price: parsePrice(row.price ?? ''), isExact: false }
  const steps = z.array(Step).parse(row.priceSource)
  const legs = steps.map((step) => ({ ...step, by: step.answer ? 'feed' : 'fixed' }) as const)
  const price = priceAlong(legs, (leg) => priceOfStep(leg as Step & (typeof legs)[number]))
  if (!price) throw new RangeError('A conversion has at least one step.')
  return { price, isExact: true }
}

const priceOfStep = ({ price, answer, decimals }: Step): Price => {
  const said = parsePrice(price)
  if (answer === undefined || decimals === undefined) return said
  const read = { numerator: BigInt(answer), denominator: 10n ** BigInt(decimals) }
  if (read.numerator * said.denominator === said.numerator * read.denominator) return read
  throw new RangeError('The price of a step differs from the answer of its feed.')
}

const gives = (row: Row, price: Price, isExact: boolean): boolean => {
  const credited = BigInt(row.credited)
  const at = (price: Price) =>
    convertUnits(asBaseUnits(row.amount), row.fromDecimals, price, row.toDecimals)
  if (at(price) === credited) return true
  return !isExact && at(price) < credited && credited <= at(roundedUp(price))
}

const roundedUp = ({ numerator, denominator }: Price): Price => ({
  numerator: (numerator * (KEPT_SHARE + 1n) * KEPT_DECIMALS) / KEPT_SHARE + denominator,
  denominator: denominator * KEPT_DECIMALS,
})

/** Computes the price of one whole unit of the arrived asset from the credited amount. */
const impliedPrice = (row: Row): string => {
  if (row.amount === '0') return 'none'
  return formatPrice({
    numerator: BigInt(row.credited) * 10n ** BigInt(row.fromDecimals),
    denominator: BigInt(row.amount) * 10n ** BigInt(row.toDecimals),
  })
}
