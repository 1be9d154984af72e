import type { ImpactView } from '../../domain/campaigns/index.ts'
import { Chip } from '../components/states.tsx'
import { KeyValues, Time } from '../components/values.tsx'
import { formatAmount, formatCount } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { campaignTexts } from '../texts/campaign/index.ts'
import { Links } from './evidence-view.tsx'

/** What a campaign reports to have changed, and whether a verifier has confirmed it. */
export const ImpactReports = ({
  reports,
  lang,
}: {
  reports: readonly ImpactView[]
  lang: Language
}) => (
  <>
    {reports.map((report) => (
      <Report key={report.id} report={report} lang={lang} />
    ))}
  </>
)

const Report = ({ report, lang }: { report: ImpactView; lang: Language }) => {
  const { impact: t, promisedEvidence } = campaignTexts[lang]
  const { metrics, beneficiaries, category, status, createdAt, verifiedAt, evidence } = report
  const people = (count: number | null | undefined, key: string) =>
    count != null && { key, value: formatCount(lang, count) }
  const isVerified = status === 'verified'
  return (
    <article class="news">
      <p>
        {category && <strong>{category}</strong>}{' '}
        <Chip tone={isVerified ? 'good' : 'quiet'}>{isVerified ? t.verified : t.reported}</Chip>{' '}
        <Time at={verifiedAt ?? createdAt} lang={lang} />
      </p>
      <KeyValues
        items={[
          ...metrics.map(({ name, current, unit, baseline, target, verificationMethod }) => {
            const amount = (value: string) => [formatAmount(lang, value), unit].join(' ').trim()
            const more = [
              baseline !== null && t.before(amount(baseline)),
              target !== null && t.target(amount(target)),
              verificationMethod,
            ]
            return { key: name, value: amount(current), hint: more.filter(Boolean).join(' · ') }
          }),
          people(beneficiaries?.direct, t.direct),
          people(beneficiaries?.indirect, t.indirect),
          isVerified && {
            key: promisedEvidence,
            value: <Links evidence={evidence} none="" />,
          },
        ]}
      />
    </article>
  )
}
