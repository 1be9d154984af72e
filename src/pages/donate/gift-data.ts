import type { DonationView, PaymentMethod, PaymentView } from '../../domain/donation/index.ts'
import type { Gift, GiftMethod } from '../shared/gift.ts'

/** The intent as the browser needs it to pay; undefined if the donation is not an intent. */
export const toGift = ({ id, payment }: DonationView, wallet: string): Gift | undefined =>
  payment ? giftOf(id, payment, wallet) : undefined

const giftOf = (id: string, payment: PaymentView, wallet: string): Gift => {
  const { account, token, units, amount, currency, methods } = payment
  return {
    ...{ id, wallet, account, token, units, amount, currency },
    methods: methods?.map(toGiftMethod) ?? null,
  }
}

const toGiftMethod = (method: PaymentMethod): GiftMethod => {
  if (method.method === 'transfer') return { method: 'transfer' }
  if (method.method === 'calls') return { method: 'calls', sendCalls: method.sendCalls }
  const { calls, to, arguments: args } = method.relay
  return {
    method: 'authorization',
    typedData: method.typedData,
    relay: { calls, to, arguments: args },
  }
}
