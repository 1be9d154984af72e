import { z } from 'zod'
import {
  type CampaignReport,
  DIFFERENCE_KINDS,
  type DifferenceView,
  getReport,
  ListDifferences,
  listDifferences,
  ReportQuery,
} from '../../../domain/blocks/index.ts'
import { pageAnswer, pageOf } from '../../../edge/answer/answers.ts'
import {
  CSV_CONTENT_TYPE,
  CSV_TYPE,
  type CsvCell,
  csvHeaders,
  toCsv,
} from '../../../edge/answer/csv.ts'
import { route } from '../../../edge/route.ts'
import {
  Amount,
  component,
  Id,
  Money,
  Time,
  toAmountOrNull,
  toMoney,
} from '../../../edge/schemas.ts'
import { jsonDecimal } from '../../../kernel/formats/json.ts'

const Asset = z.string().describe('CAIP-19, or a unit of account such as iso4217:USD.')

const AssetReconciliation = component('AssetReconciliation', {
  asset: Asset,
  symbol: z.string(),
  received: Amount.describe('The sum of the final transfers that count for the campaign.'),
  balance: Amount.nullable().meta({
    description:
      'The balance of the account on the chain: proven, or for a token by a quorum of nodes. Null if it is not known yet.',
  }),
  balanceBlock: z.int().nullable().describe('The final block of the balance.'),
  custody: Amount.meta({
    description:
      'By the ledger: the amount that came in, which should equal `received`. For an escrow: the part of this amount that the escrow still holds.',
  }),
  unclaimed: Amount.describe('The part that no donation has claimed.'),
  credited: Amount.describe('The part that completed donations brought.'),
})

const CampaignReconciliation = component('CampaignReconciliation', {
  campaignId: Id,
  title: z.string(),
  chainId: z.int(),
  account: z.string(),
  currentAmount: Money,
  assets: z.array(AssetReconciliation),
  openDifferences: z.int(),
  comparedBlock: z.int().nullable().describe('The last block of the chain that has been compared.'),
  comparedAt: Time.nullable(),
})

const Difference = component('Difference', {
  id: Id,
  kind: z.enum(DIFFERENCE_KINDS),
  chainId: z.int(),
  campaignId: Id.nullable(),
  account: z.string(),
  asset: Asset,
  symbol: z.string(),
  blockNumber: z.int(),
  blockHash: z.string().nullable(),
  txHash: z.string().nullable(),
  expected: Amount.describe('The value in the ledger.'),
  actual: Amount.describe('The value that was found instead.'),
  note: z.string(),
  openedAt: Time,
  resolvedAt: Time.nullable(),
  resolution: z.string().nullable(),
  acknowledgedAt: Time.nullable().meta({
    description:
      'When an operator explained these amounts; null if no operator did, or if the amounts have changed since.',
  }),
  acknowledgement: z.string().nullable().describe('The reason of the operator.'),
  acknowledgementJws: z.string().nullable().meta({
    description: 'The statement, signed by a key of `/.well-known/jwks.json` (RFC 7515).',
  }),
})

const toReportBody = (report: CampaignReport) => ({
  ...report,
  currentAmount: toMoney(report.currentAmount),
  assets: report.assets.map((asset) => ({
    ...asset,
    received: jsonDecimal(asset.received),
    balance: toAmountOrNull(asset.balance),
    custody: jsonDecimal(asset.custody),
    unclaimed: jsonDecimal(asset.unclaimed),
    credited: jsonDecimal(asset.credited),
  })),
})

const toDifferenceBody = (difference: DifferenceView) => ({
  ...difference,
  expected: jsonDecimal(difference.expected),
  actual: jsonDecimal(difference.actual),
})

type AssetReport = CampaignReport['assets'][number]

const COLUMNS: Readonly<Record<string, (report: CampaignReport, asset?: AssetReport) => CsvCell>> =
  {
    campaignId: ({ campaignId }) => campaignId,
    title: ({ title }) => title,
    chainId: ({ chainId }) => chainId,
    account: ({ account }) => account,
    asset: (_, asset) => asset?.asset ?? null,
    symbol: (_, asset) => asset?.symbol ?? null,
    received: (_, asset) => asset?.received ?? '0',
    balance: (_, asset) => asset?.balance ?? null,
    balanceBlock: (_, asset) => asset?.balanceBlock ?? null,
    custody: (_, asset) => asset?.custody ?? '0',
    unclaimed: (_, asset) => asset?.unclaimed ?? '0',
    credited: (_, asset) => asset?.credited ?? '0',
    currentAmount: ({ currentAmount }) => currentAmount.value,
    currency: ({ currentAmount }) => currentAmount.currency,
    openDifferences: ({ openDifferences }) => openDifferences,
    comparedBlock: ({ comparedBlock }) => comparedBlock,
    comparedAt: ({ comparedAt }) => comparedAt,
  }
const HEAD = Object.keys(COLUMNS)

/** Makes one row per asset. A campaign without assets gets one row that names no asset. */
const toCsvRows = (report: CampaignReport): CsvCell[][] => {
  const rowOf = (asset?: AssetReport) => Object.values(COLUMNS).map((cell) => cell(report, asset))
  return report.assets.length === 0 ? [rowOf()] : report.assets.map((asset) => rowOf(asset))
}

/** Whether the answer is CSV. Without `format`, the first media type of `Accept` decides. */
const wantsCsv = (format: 'json' | 'csv' | undefined, accept = ''): boolean =>
  format === undefined
    ? accept.split(/[,;]/)[0]?.trim().toLowerCase() === CSV_TYPE
    : format === 'csv'

export const reconciliationOperations = () => [
  route.get('/api/reconciliation', {
    operationId: 'getReconciliation',
    summary:
      'Chain, ledger and totals of your campaigns side by side; for administrators, of all campaigns. JSON, or CSV by `format` or `Accept`.',
    auth: 'user',
    query: ReportQuery,
    answers: {
      200: {
        ...pageOf('campaigns', CampaignReconciliation, 'One page of campaigns, newest first.'),
        otherTypes: { [CSV_TYPE]: `${HEAD.join(',')}\r\n` },
      },
    },
    errors: ['not_found'],
    handler: async ({ ctx, query, url, header }) => {
      const page = await getReport(ctx, query)
      const answer = pageAnswer('campaigns', page, url, toReportBody)
      if (!wantsCsv(query.format, header('accept'))) return answer
      return {
        text: { type: CSV_CONTENT_TYPE, value: toCsv(HEAD, page.items.flatMap(toCsvRows)) },
        headers: { ...answer.headers, ...csvHeaders('reconciliation.csv') },
      }
    },
  }),
  route.get('/api/reconciliation/differences', {
    operationId: 'listDifferences',
    summary:
      'Differences, newest first: of your campaigns, or of all campaigns for administrators.',
    auth: 'user',
    query: ListDifferences,
    answers: { 200: pageOf('differences', Difference) },
    handler: async ({ ctx, query, url }) =>
      pageAnswer('differences', await listDifferences(ctx, query), url, toDifferenceBody),
  }),
]
