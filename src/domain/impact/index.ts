export type { ImpactView, ListedImpactView, MetricView } from './impact-view.ts'
export { getImpact, listImpact } from './list-impact.ts'
export { reportImpact } from './report-impact.ts'
export {
  IMPACT_STATUSES,
  ListImpact,
  MetricFields,
  metricsOf,
  ReportFields,
  ReportImpact,
} from './schemas.ts'
export { VerifyImpact, verifyImpact } from './verify-impact.ts'
