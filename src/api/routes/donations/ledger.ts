import { z } from 'zod'
import { type LedgerEntryView, listEntries } from '../../../domain/books/index.ts'
import { getCampaign } from '../../../domain/campaigns/index.ts'
import { PageQuery } from '../../../domain/shared/index.ts'
import { pageAnswer, pageOf } from '../../../edge/answer/answers.ts'
import { route } from '../../../edge/route.ts'
import { component, Id, Money, Time, toMoney } from '../../../edge/schemas.ts'
import { LEDGER_ACCOUNT_KINDS, LEDGER_ENTRY_KINDS } from '../../../kernel/statuses.ts'

const LedgerEntry = component('LedgerEntry', {
  id: z.int(),
  kind: z.enum(LEDGER_ENTRY_KINDS),
  debit: z.enum(LEDGER_ACCOUNT_KINDS).describe('The receiving account.'),
  credit: z.enum(LEDGER_ACCOUNT_KINDS).describe('The paying account.'),
  amount: Money,
  asset: z.string().describe('CAIP-19, or a unit of account such as iso4217:USD.'),
  donationId: Id.nullable(),
  milestoneId: Id.nullable(),
  txHash: z.string().nullable().meta({
    description:
      'The transaction that moved the money. Null for a release without an escrow: the creator got the money with the donations.',
  }),
  blockNumber: z.int().nullable(),
  blockHash: z.string().nullable(),
  reverses: z.int().nullable().describe('The entry that this entry reverses.'),
  createdAt: Time,
})

const toEntryBody = (entry: LedgerEntryView) => ({ ...entry, amount: toMoney(entry.amount) })

export const ledgerOperations = () => [
  route.get('/api/campaigns/:id/ledger', {
    operationId: 'listLedgerEntries',
    summary: "Every movement of a campaign's money, newest first. Entries never change.",
    auth: 'optional',
    query: PageQuery,
    answers: { 200: pageOf('entries', LedgerEntry) },
    handler: async ({ ctx, params, query, url }) => {
      const campaign = await getCampaign(ctx, params.id)
      return pageAnswer('entries', await listEntries(ctx, campaign.id, query), url, toEntryBody)
    },
  }),
]
