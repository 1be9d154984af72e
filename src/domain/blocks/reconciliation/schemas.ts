import { z } from 'zod'
import { PageQuery } from '../../shared/index.ts'

export const ReportQuery = PageQuery.extend({
  campaignId: z.uuid().optional(),
  format: z.enum(['json', 'csv']).optional(),
})
export type ReportQuery = z.output<typeof ReportQuery>

export const ListDifferences = PageQuery.extend({
  campaignId: z.uuid().optional(),
  status: z.enum(['open', 'resolved', 'all']).default('open'),
})
export type ListDifferences = z.output<typeof ListDifferences>
