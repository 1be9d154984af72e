import type { Intent } from '../../../../src/pages/shared/payment.ts'

/** An intent to pay 25 USDC by a plain transfer. */
export const INTENT: Intent = {
  id: '0199b0b2-0000-7000-8000-000000000001',
  wallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  account: '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720',
  token: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  units: '25000000',
  amount: '25',
  currency: 'USDC',
  methods: null,
}
