import { getCampaign } from '../../../domain/campaigns/index.ts'
import { type DonationView, readDonations } from '../../../domain/donations/index.ts'
import type { Keyset } from '../../../domain/shared/index.ts'
import { CSV_CONTENT_TYPE, CSV_TYPE, type CsvCell, csvHeaders } from '../../../edge/answer/csv.ts'
import { siteOf } from '../../../edge/request/client-address.ts'
import { route } from '../../../edge/route.ts'
import { csvStream } from '../../../edge/streams/csv-stream.ts'
import { createSlots } from '../../../edge/streams/slots.ts'

/** The most open exports in this process. A slow client keeps an export open for a long time. */
const MAX_PER_PROCESS = 200
const MAX_PER_NETWORK = 4

/** The names of the columns, with functions that take each column's value from a donation. */
const COLUMNS: Readonly<Record<string, (donation: DonationView) => CsvCell>> = {
  id: ({ id }) => id,
  status: ({ status }) => status,
  reason: ({ reason }) => reason,
  type: ({ type }) => type,
  donorName: ({ donor }) => donor?.name ?? null,
  donorMessage: ({ donor }) => donor?.message ?? null,
  userId: ({ userId }) => userId,
  amount: ({ amount }) => amount.value,
  currency: ({ amount }) => amount.currency,
  declaredAmount: ({ declaredAmount }) => declaredAmount.value,
  declaredCurrency: ({ declaredAmount }) => declaredAmount.currency,
  confirmedAmount: ({ confirmedAmount }) => confirmedAmount?.value ?? null,
  confirmedCurrency: ({ confirmedAmount }) => confirmedAmount?.currency ?? null,
  creditedAmount: ({ creditedAmount }) => creditedAmount?.value ?? null,
  creditedCurrency: ({ creditedAmount }) => creditedAmount?.currency ?? null,
  refundedAmount: ({ refundedAmount }) => refundedAmount?.value ?? null,
  refundedCurrency: ({ refundedAmount }) => refundedAmount?.currency ?? null,
  discrepancy: ({ discrepancy }) => discrepancy,
  price: ({ price }) => price,
  chainId: ({ transaction }) => transaction?.chainId ?? null,
  txHash: ({ transaction }) => transaction?.txHash ?? null,
  originalTxHash: ({ transaction }) => transaction?.originalTxHash ?? null,
  replacedBy: ({ transaction }) => transaction?.replacedBy ?? null,
  ledgerAddress: ({ transaction }) => transaction?.ledgerAddress ?? null,
  blockNumber: ({ transaction }) => transaction?.blockNumber ?? null,
  logPosition: ({ transaction }) => transaction?.logPosition ?? null,
  createdAt: ({ createdAt }) => createdAt,
  completedAt: ({ completedAt }) => completedAt,
}
const HEAD = Object.keys(COLUMNS)
const rowOf = (donation: DonationView) => Object.values(COLUMNS).map((cellOf) => cellOf(donation))

export const donationCsvOperations = () => {
  const slots = createSlots({ what: 'tables', max: MAX_PER_PROCESS })
  return [
    route.get('/api/campaigns/:id/donations.csv', {
      operationId: 'exportDonations',
      summary: 'All donations of a campaign that a block holds or held, as a table, newest first.',
      auth: 'optional',
      answers: {
        200: {
          description:
            'CSV (RFC 4180) in UTF-8. Amounts have every digit. If the connection ends early, the table is not complete.',
          otherTypes: { [CSV_TYPE]: `${HEAD.join(',')}\r\n` },
        },
      },
      errors: ['too_many_streams'],
      handler: async ({ ctx, params, address }) => {
        const { id } = await getCampaign(ctx, params.id)
        const network = { name: 'A network', key: siteOf(address), max: MAX_PER_NETWORK }
        const source = csvStream({
          log: ctx.log,
          head: HEAD,
          async read(after: Keyset | undefined) {
            const { items, next } = await readDonations(ctx, id, { after })
            return { rows: items.map(rowOf), next }
          },
          onEnd: slots.take([network]),
        })
        return {
          stream: { type: CSV_CONTENT_TYPE, source },
          headers: csvHeaders('donations.csv'),
        }
      },
    }),
  ]
}
