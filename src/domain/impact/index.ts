export { getImpact, type ImpactView, type ListedImpactView, listImpact } from './read-impact.ts'
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
