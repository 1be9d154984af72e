import type { CampaignView, MilestoneView } from '../../domain/campaigns/index.ts'
import { Paragraphs } from '../components/paragraphs.tsx'
import { Chip, type Tone } from '../components/states.tsx'
import { Timeline } from '../components/timeline.tsx'
import { Money } from '../components/values.tsx'
import { isOpen } from '../load/campaign.ts'
import { excerptOf, formatDay, formatMoney, subtract } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { campaignTexts } from '../texts/campaign/index.ts'
import { Links } from './evidence-view.tsx'

const TONES: Record<MilestoneView['status'], Tone> = {
  pending: 'quiet',
  reached: 'info',
  verified: 'good',
  released: 'good',
  rejected: 'bad',
}

const MARKS = {
  pending: 'next',
  reached: 'now',
  verified: 'done',
  released: 'done',
  rejected: 'bad',
} as const

/** A campaign that has ended raises no more money. */
const ENDED: readonly CampaignView['status'][] = ['completed', 'cancelled', 'failed']

/** The list is sent after each donation to all visitors, so its texts are short. */
const MAX_EXCERPT = 280

type Props = { campaign: CampaignView; lang: Language }

/** The milestones along a line, each with its state, its dates and the beginning of its text. */
export const MilestoneList = ({ campaign, lang }: Props) => {
  const t = campaignTexts[lang]
  const { currency, targetAmount, currentAmount, escrow } = campaign
  // An escrow pays no milestone below its target, so verifiers decide on none before.
  const isBelow = Boolean(escrow) && campaign.status === 'active'
  const shownOf = ({ status }: MilestoneView) =>
    isBelow && status === 'reached' ? 'pending' : status
  const stateOf = (milestone: MilestoneView): string => {
    const status = shownOf(milestone)
    const hasEnded = ENDED.includes(campaign.status)
    if (hasEnded && escrow && status === 'reached') return t.milestoneStates.unpaid
    if (status !== 'pending') return t.milestoneStates[status]
    if (hasEnded) return t.milestoneStates.missed
    const missing = subtract(isBelow ? targetAmount : milestone.cumulativeAmount, currentAmount)
    return t.milestoneStates.pending(formatMoney(lang, { value: missing, currency }))
  }
  return (
    <Timeline
      hasHeading
      items={campaign.milestones.map((milestone, index) => ({
        key: milestone.id,
        mark: MARKS[shownOf(milestone)],
        title: milestone.title ?? t.milestone(index + 1),
        chip: <Chip tone={TONES[shownOf(milestone)]}>{stateOf(milestone)}</Chip>,
        end: <Money value={milestone.amount} currency={currency} lang={lang} />,
        children: <Details campaign={campaign} milestone={milestone} lang={lang} />,
      }))}
    />
  )
}

type DetailsProps = Props & { milestone: MilestoneView }

const Details = ({ campaign, milestone, lang }: DetailsProps) => {
  const t = campaignTexts[lang]
  const { description, verifiedAt, releasedAt, status } = milestone
  const dates = [
    verifiedAt && t.verifiedOn(formatDay(lang, verifiedAt)),
    releasedAt && t.releasedOn(formatDay(lang, releasedAt)),
  ].filter(Boolean)
  return (
    <>
      <p>{excerptOf(description, MAX_EXCERPT)}</p>
      {dates.length > 0 && <p>{dates.join(' ')}</p>}
      {status === 'verified' && campaign.escrow && isOpen(campaign) && (
        <p>
          <a href={`/c/${campaign.slug}/escrow#milestone-${milestone.id}`}>{t.releaseNow}</a>
        </p>
      )}
    </>
  )
}

/**
 * The milestones with their whole texts and their evidence, if the list does not show all of it.
 * They may be long and never change with a donation, so they are not in the list.
 */
export const MilestonesInFull = ({ campaign, lang }: Props) => {
  const t = campaignTexts[lang]
  const isMore = ({ description, verificationDocs }: MilestoneView) =>
    verificationDocs.length > 0 || excerptOf(description, MAX_EXCERPT) !== description
  if (!campaign.milestones.some(isMore)) return null
  return (
    <details>
      <summary>{t.milestonesInFull}</summary>
      {campaign.milestones.map(({ id, title, description, verificationDocs }, index) => (
        <article key={id} class="news">
          <h3>{title ?? t.milestone(index + 1)}</h3>
          <Paragraphs text={description} />
          {verificationDocs.length > 0 && (
            <Links
              evidence={verificationDocs.map((url) => ({ type: t.promisedEvidence, url }))}
              none=""
            />
          )}
        </article>
      ))}
    </details>
  )
}
