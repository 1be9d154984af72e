import type { ComponentChildren } from 'preact'
import type { MoneyView } from '../../domain/books/index.ts'
import type {
  CampaignView as Campaign,
  EscrowFacts,
  ImpactView,
  ListedUpdateView,
  SignedEvidence,
} from '../../domain/campaigns/index.ts'
import type { DonationView } from '../../domain/donations/index.ts'
import type { PublicChain } from '../../kernel/settings.ts'
import { LinkButton } from '../components/form.tsx'
import { Empty } from '../components/lists.tsx'
import { LivePart } from '../components/live-part.tsx'
import { Paragraphs } from '../components/paragraphs.tsx'
import { Progress } from '../components/progress.tsx'
import { Hash, Time } from '../components/values.tsx'
import { isOpen, lockedOf, takesPayments } from '../load/campaign.ts'
import { type ChainTrouble, Kicker, Notice, TroubleNotice } from '../parts/campaign-parts.tsx'
import { add, explorerLink, formatAmount, formatCount, formatMoney } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { campaignTexts } from '../texts/campaign/index.ts'
import { donateTexts } from '../texts/donate/index.ts'
import { MilestoneEvidence } from './evidence-view.tsx'
import { ImpactReports } from './impact-view.tsx'
import { DonationTable, News } from './list-views.tsx'
import { MilestoneList, MilestonesInFull } from './milestone-list.tsx'

/** The parts of the page that change while it is open. All visitors get the same parts. */
export type LiveCampaign = {
  campaign: Campaign
  /** Money in blocks that are not final, for each currency. */
  waiting: readonly MoneyView[]
  /** Null without an escrow. */
  escrow: EscrowFacts | null
  trouble: ChainTrouble
  /** The newest donations. */
  donations: readonly DonationView[]
  now: Date
}

type LiveProps = LiveCampaign & { lang: Language }

type Props = LiveProps & {
  chain: PublicChain | undefined
  /** The newest updates. */
  updates: readonly ListedUpdateView[]
  /** What verifiers have signed for the milestones. */
  evidence: readonly SignedEvidence[]
  /** The newest impact reports. */
  impact: readonly ImpactView[]
}

/** The page of a campaign. */
export const CampaignView = (props: Props) => {
  const { campaign, updates, lang } = props
  const t = campaignTexts[lang]
  const parts = campaignParts(props, lang)
  const [lead = '', ...rest] = campaign.description.trim().split(/\n\s*\n/)
  // A stream has no session, so it cannot show a draft.
  const live = (name: keyof typeof parts) =>
    campaign.status === 'draft' ? (
      parts[name]
    ) : (
      <LivePart src={`/c/${campaign.slug}/live?lang=${lang}`} name={name}>
        {parts[name]}
      </LivePart>
    )
  return (
    <>
      {live('notices')}
      <div class="columns">
        <header>
          <Kicker campaign={campaign} lang={lang} />
          <h1>{campaign.title}</h1>
          <p class="lead plain-text">{lead}</p>
          {campaign.cover && <Cover cover={campaign.cover} />}
        </header>
        <aside class="side" aria-label={t.donate}>
          <div class="card">{live('progress')}</div>
          <Account {...props} />
        </aside>
        <div>
          <div class="description">
            <Paragraphs text={rest.join('\n\n')} />
          </div>
          {campaign.milestones.length > 0 && (
            <Section title={t.milestones}>
              {live('milestones')}
              <MilestonesInFull campaign={campaign} lang={lang} />
              <MilestoneEvidence {...props} />
            </Section>
          )}
          {props.impact.length > 0 && (
            <Section title={t.impact.title}>
              <ImpactReports reports={props.impact} lang={lang} />
            </Section>
          )}
          {updates.length > 0 && (
            <Section title={t.updates}>
              <News updates={updates} slug={campaign.slug} lang={lang} level={3} />
              <p class="section-links">
                <a href={`/c/${campaign.slug}/updates`}>{t.allUpdates}</a>
              </p>
            </Section>
          )}
          <Section title={t.donations}>
            {live('donations')}
            <p class="section-links">
              <a href={`/c/${campaign.slug}/donations`}>{t.allDonations}</a>
              <a href={`/c/${campaign.slug}/ledger`}>{t.ledger}</a>
            </p>
          </Section>
        </div>
      </div>
    </>
  )
}

/** The live parts of the page, by the names of their events. */
export const campaignParts = (props: LiveCampaign, lang: Language) => ({
  notices: <CampaignNotices {...props} lang={lang} />,
  progress: <CampaignCard {...props} lang={lang} />,
  milestones: <MilestoneList campaign={props.campaign} lang={lang} />,
  donations:
    props.donations.length === 0 ? (
      <Empty text={campaignTexts[lang].noDonations} />
    ) : (
      <DonationTable donations={props.donations} lang={lang} now={props.now} />
    ),
})

const Section = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section class="page-section">
    <h2>{title}</h2>
    {children}
  </section>
)

/** The picture says nothing that the text needs, so it has an empty alternative. */
const Cover = ({ cover }: { cover: NonNullable<Campaign['cover']> }) => (
  <img
    class="cover"
    src={new URL(cover.url).pathname}
    width={cover.width}
    height={cover.height}
    alt=""
  />
)

/** The account that gets the money, and who can move it. */
const Account = ({ campaign, chain, lang }: Props) => {
  const t = campaignTexts[lang]
  const { ledgerAccount, escrow, slug } = campaign
  return (
    <div class="note">
      <p>
        {t.account(chain?.name ?? `eip155:${campaign.chainId}`)}{' '}
        <Hash
          value={ledgerAccount}
          href={explorerLink(chain, 'address', ledgerAccount)}
          {...(!escrow && { texts: t.copy })}
        />
      </p>
      <p>{escrow ? t.escrowAccount : t.ownAccount}</p>
      {escrow && (
        <p class="section-links">
          <a href={`/c/${slug}/escrow`}>{t.toEscrow}</a>
        </p>
      )}
    </div>
  )
}

/** What concerns the whole campaign: its state, its account and its chain. */
const CampaignNotices = ({ campaign, trouble, now, lang }: LiveProps) => {
  const t = campaignTexts[lang].notices
  const { status, accountProven, escrow } = campaign
  const { closed } = donateTexts[lang]
  const takesDonations = isOpen(campaign)
  const isOffered = takesPayments(campaign, now)
  const gaveBack = escrow && (status === 'failed' || status === 'cancelled')
  return (
    <div class="notices">
      {status === 'draft' && <Notice tone="info" {...t.draft} />}
      {status === 'funded' && isOffered && <Notice tone="good" {...t.funded} />}
      {status === 'completed' && <Notice tone="good" {...t.completed} />}
      {status === 'cancelled' && <Notice tone="bad" {...t.cancelled} />}
      {status === 'failed' && <Notice tone="bad" {...t.failed} />}
      {gaveBack && <Notice tone="info" {...t.refunding} />}
      {takesDonations && !isOffered && (
        <Notice tone="info" title={closed.title} text={closed.escrow} />
      )}
      {takesDonations && !accountProven && !escrow && <Notice tone="warn" {...t.unproven} />}
      {takesDonations && <TroubleNotice trouble={trouble} lang={lang} />}
    </div>
  )
}

/** Raised money, target, bar, figures and the buttons to donate. */
const CampaignCard = ({ campaign, waiting, escrow, now, lang }: LiveProps) => {
  const t = campaignTexts[lang]
  const { currency, currentAmount, targetAmount, slug } = campaign
  const money = (value: string) => formatMoney(lang, { value, currency })
  const takesDonations = takesPayments(campaign, now)
  return (
    <>
      <p class="raised">
        <span class="figure">{formatAmount(lang, currentAmount)}</span> {currency}
        <span class="raised-of">{t.raisedOf(money(targetAmount))}</span>
      </p>
      <Progress
        proven={currentAmount}
        waiting={waiting.find((one) => one.currency === currency)?.value ?? '0'}
        target={targetAmount}
        label={t.progress({ raised: money(currentAmount), target: money(targetAmount) })}
      />
      {waiting.length > 0 && <p class="note">{t.waiting(listOf(lang, waiting))}</p>}
      <dl class="figures">
        <Figure label={t.donations}>{formatCount(lang, campaign.donations)}</Figure>
        {escrow && <Figure label={t.locked}>{money(lockedOf(campaign, escrow))}</Figure>}
        <Figure label={t.released}>{money(escrow?.released ?? releasedOf(campaign))}</Figure>
        {escrow?.reason && <Figure label={t.refunded}>{money(escrow.refunded)}</Figure>}
        {takesDonations && escrow ? (
          <Figure label={t.deadline}>
            <Time at={escrow.deadline} lang={lang} />
          </Figure>
        ) : (
          takesDonations &&
          campaign.endsAt && (
            <Figure label={t.ends}>
              <Time at={campaign.endsAt} lang={lang} day />
            </Figure>
          )
        )}
      </dl>
      {takesDonations && (
        <div class="card-buttons">
          <LinkButton href={`/c/${slug}/donate`}>{t.donate}</LinkButton>
          <LinkButton kind="plain" href={`/c/${slug}/paid`}>
            {donateTexts[lang].alreadyPaid}
          </LinkButton>
        </div>
      )}
    </>
  )
}

type FigureProps = { label: string; children: preact.ComponentChildren }

const Figure = ({ label, children }: FigureProps) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

const listOf = (lang: Language, money: readonly MoneyView[]): string =>
  new Intl.ListFormat(lang, { type: 'unit' }).format(money.map((one) => formatMoney(lang, one)))

/** The sum of the released milestones. */
const releasedOf = ({ milestones }: Campaign): string =>
  milestones
    .filter(({ status }) => status === 'released')
    .reduce((sum, { amount }) => add(sum, amount), '0')
