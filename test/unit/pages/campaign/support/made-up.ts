import type { LedgerEntryView } from '../../../../../src/domain/books/index.ts'
import type {
  CampaignView,
  EscrowFigures,
  MilestoneView,
} from '../../../../../src/domain/campaigns/index.ts'
import type { UpdateView } from '../../../../../src/domain/campaigns/update/list-updates.ts'
import type { DonationView } from '../../../../../src/domain/donations/index.ts'
import type { DonationStatus } from '../../../../../src/kernel/statuses.ts'
import { bareDonation } from '../../support/bare-donation.ts'

/** Made-up views for tests of pages. No database is needed. */

export const NOW = new Date('2026-11-23T12:00:00Z')
const EARLIER = new Date('2026-11-23T11:56:00Z')
const ACCOUNT = '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720'
const HASH = `0x${'ab'.repeat(32)}`

export const madeMilestone = (changes: Partial<MilestoneView> = {}): MilestoneView => ({
  id: 'm1',
  title: 'First well',
  description: 'Drilled and tested.',
  amount: '400',
  cumulativeAmount: '400',
  status: 'pending',
  verificationDocs: ['https://example.org/report'],
  reachedAt: null,
  verifiedAt: null,
  releasedAt: null,
  ...changes,
})

export const madeCampaign = (changes: Partial<CampaignView> = {}): CampaignView => ({
  id: '01a20600-0000-7000-8000-000000000001',
  creatorId: '01a20600-0000-7000-8000-000000000002',
  creatorName: 'Amina K.',
  title: 'Clean water for Bako',
  slug: 'clean-water-for-bako',
  description: 'Two wells.\n\nEach is paid for when it gives <b>water</b>.',
  category: 'water',
  location: { country: 'ET', region: 'Bako', coordinates: null },
  status: 'active',
  currency: 'USDC',
  targetAmount: '1000',
  currentAmount: '745.5',
  donations: 14,
  ledgerAccount: ACCOUNT,
  chainId: 1,
  accountProven: true,
  fundedAt: null,
  endsAt: null,
  createdAt: EARLIER,
  updatedAt: EARLIER,
  cover: null,
  milestones: [madeMilestone()],
  ...changes,
})

export const madeDonation = (
  status: DonationStatus,
  changes: Partial<DonationView> = {},
): DonationView => ({
  ...bareDonation({ value: '25', currency: 'USDC' }),
  id: `donation-${status}`,
  userId: null,
  campaignId: '01a20600-0000-7000-8000-000000000001',
  status,
  donor: { name: 'Lena B.', message: null, hidden: false },
  transaction: {
    txHash: HASH,
    originalTxHash: null,
    replacedBy: null,
    ledgerAddress: ACCOUNT,
    chainId: 1,
    blockNumber: 7,
    logPosition: 0,
  },
  createdAt: EARLIER,
  ...changes,
})

export const madeUpdate = (changes: Partial<UpdateView> = {}): UpdateView => ({
  id: 'u1',
  campaignId: '01a20600-0000-7000-8000-000000000001',
  type: 'news',
  title: 'The survey is done',
  content: 'Both places have water.',
  media: [],
  createdAt: EARLIER,
  updatedAt: null,
  ...changes,
})

export const madeEntry = (changes: Partial<LedgerEntryView> = {}): LedgerEntryView => ({
  id: 3,
  kind: 'donation',
  debit: 'custody',
  credit: 'held',
  asset: 'eip155:1/slip44:60',
  amount: { value: '25', currency: 'USDC' },
  donationId: 'donation-completed',
  milestoneId: null,
  txHash: HASH,
  blockNumber: 7,
  blockHash: HASH,
  reverses: null,
  createdAt: EARLIER,
  ...changes,
})

export const madeEscrow = (changes: Partial<EscrowFigures> = {}): EscrowFigures => ({
  campaignId: '01a20600-0000-7000-8000-000000000001',
  chainId: 1,
  account: ACCOUNT,
  currency: 'USDC',
  decimals: 6,
  recipient: '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955',
  asset: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  deadline: new Date('2027-01-01T00:00:00Z'),
  activateBy: new Date('2027-01-08T00:00:00Z'),
  expiry: new Date('2027-06-01T00:00:00Z'),
  quorum: 2,
  surplus: 'donors',
  verifiers: [
    '0x976EA74026E726554dB657fA54763abd0C3a0aa9',
    '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
  ],
  milestones: [{ amount: '400', required: 2 }],
  packed: '0x00',
  factory: ACCOUNT,
  deployed: true,
  codeProvenAt: EARLIER,
  balance: { value: '345.5', block: 7 },
  state: 'active',
  reason: null,
  released: '400',
  refunded: '0',
  pool: null,
  total: null,
  collectable: '0',
  releasedMilestones: [],
  rounds: [],
  ...changes,
})
