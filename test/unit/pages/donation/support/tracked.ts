import type { CampaignView } from '../../../../../src/domain/campaigns/index.ts'
import type { DonationView } from '../../../../../src/domain/donations/index.ts'
import type { Tracked } from '../../../../../src/pages/donation/load-donation.ts'
import type { DonationProof } from '../../../../../src/verifier/index.ts'
import { bareDonation } from '../../support/bare-donation.ts'

const ACCOUNT = '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720'
export const HASH = `0x${'ab'.repeat(32)}`
export const NOW = new Date('2026-11-23T12:00:00Z')

const usdc = (value: string) => ({ value, currency: 'USDC' })

const transaction: NonNullable<DonationView['transaction']> = {
  txHash: HASH,
  originalTxHash: null,
  replacedBy: null,
  ledgerAddress: ACCOUNT,
  chainId: 1,
  blockNumber: null,
  logPosition: null,
}

const base: DonationView = {
  ...bareDonation(usdc('25')),
  id: '01900000-0000-7000-8000-00000000000d',
  userId: null,
  campaignId: '01900000-0000-7000-8000-00000000000c',
  status: 'pending',
  type: 'gift',
  transaction,
  confirmation: {
    reason: 'waiting_for_transaction',
    confirmations: 0,
    required: 64,
    blockNumber: null,
    nextCheckAt: NOW,
  },
  createdAt: NOW,
}

const waitingFor = (reason: string, blockNumber: number | null = null) => ({
  reason,
  confirmations: blockNumber === null ? 0 : 4,
  required: 64,
  blockNumber,
  nextCheckAt: null,
})

const payment: NonNullable<DonationView['payment']> = {
  account: ACCOUNT,
  accountId: `eip155:1:${ACCOUNT.toLowerCase()}`,
  chainId: 1,
  asset: 'eip155:1/erc20:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  token: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  amount: '25',
  units: '25000000',
  currency: 'USDC',
  uri: 'ethereum:0x',
  methods: null,
  txHash: null,
  expiresAt: NOW,
  expected: usdc('25'),
  received: null,
  state: 'awaiting',
  late: false,
}

/** Makes a donation that waits for its transaction. `change` replaces fields. */
export const donationWith = (change: Partial<DonationView> = {}): DonationView => ({
  ...base,
  ...change,
})

/** A donation in each state that the page knows. */
export const donations = {
  promise: () =>
    donationWith({
      transaction: null,
      payment,
      confirmation: waitingFor('waiting_for_payment'),
    }),
  sent: () =>
    donationWith({
      transaction: null,
      payment: { ...payment, txHash: HASH },
      confirmation: waitingFor('waiting_for_payment'),
    }),
  recorded: () => donationWith(),
  confirming: () =>
    donationWith({
      status: 'confirming',
      transaction: { ...transaction, blockNumber: 24_118_003 },
      confirmedAmount: usdc('25'),
      confirmation: waitingFor('waiting_for_finality', 24_118_003),
    }),
  completed: () =>
    donationWith({
      status: 'completed',
      transaction: { ...transaction, blockNumber: 24_118_003 },
      confirmedAmount: usdc('25'),
      creditedAmount: usdc('25'),
      confirmation: null,
      completedAt: NOW,
    }),
  refunded: (refundedAmount: { value: string; currency: string }): DonationView => ({
    ...donations.completed(),
    status: refundedAmount.value === '25' ? 'refunded' : 'partly_refunded',
    refundedAmount,
  }),
  ended: (status: 'failed' | 'expired' | 'reversed', reason: string) =>
    donationWith({
      status,
      reason: status === 'failed' ? reason : null,
      confirmation: waitingFor(reason),
    }),
  paid: (state: 'under' | 'over' | 'other_asset', arrived: { value: string; currency: string }) => {
    const completed = donations.completed()
    const received = { ...payment, state, received: arrived, late: true }
    return { ...completed, confirmedAmount: arrived, payment: received, discrepancy: true }
  },
}

/** Makes the data that the page has about a donation. */
export const trackedOf = (donation: DonationView, more: Partial<Tracked> = {}): Tracked => ({
  donation,
  campaign: {
    id: donation.campaignId,
    slug: 'clean-water',
    title: 'Clean water for Bako',
    status: 'active',
    ledgerAccount: ACCOUNT,
    chainId: 1,
    currency: 'USDC',
  } as CampaignView,
  chain: {
    id: 1,
    name: 'Ethereum',
    rpc: [],
    explorer: 'https://explorer.example',
    testnet: false,
    pollIntervalMs: 1_000,
    stalledAfterMs: 60_000,
  },
  trouble: null,
  proof: null,
  refund: null,
  changedAt: new Date('2026-11-23T12:01:00Z'),
  named: null,
  paidAt: null,
  worth: null,
  now: NOW,
  ...more,
})

/** Makes the parts of a proof that the page shows: seal, entries and sender. */
export const proofWith = (sender: string | null): DonationProof =>
  ({
    donation: { sender },
    ledger: {
      entries: [{ id: 41 }],
      seals: [{ seq: 7, head: HASH, keyId: 'the-key', sealedAt: NOW.toISOString() }],
      keys: [],
    },
  }) as unknown as DonationProof
