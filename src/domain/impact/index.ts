export type { ImpactView, ListedImpactView, MetricView } from './impact-view.ts'
export { getImpact, listImpact } from './list-impact.ts'
export { reportImpact } from './report-impact.ts'
export {
  ListImpact,
  MetricFields,
  metricsOf,
  ReportFields,
  ReportImpact,
  VerifyImpact,
} from './schemas.ts'
export { verifyImpact } from './verify-impact.ts'
