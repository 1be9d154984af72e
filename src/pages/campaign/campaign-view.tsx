import type { ComponentChildren } from 'preact'
import type {
  CreatorView,
  ImpactView,
  ListedUpdateView,
  SignedEvidence,
} from '../../domain/campaigns/index.ts'
import type { PublicChain } from '../../kernel/settings.ts'
import { Empty } from '../components/lists.tsx'
import { LivePart } from '../components/live-part.tsx'
import { Paragraphs } from '../components/paragraphs.tsx'
import { Hash } from '../components/values.tsx'
import { Kicker } from '../parts/campaign-parts.tsx'
import { Cover } from '../parts/cover.tsx'
import { AsOf, EscrowMoney } from '../parts/escrow-money.tsx'
import { explorerLink } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { campaignTexts } from '../texts/campaign/index.ts'
import { escrowTexts } from '../texts/escrow/index.ts'
import { CampaignCard, GiveBar } from './campaign-card.tsx'
import { CampaignNotices } from './campaign-notices.tsx'
import { Creator } from './creator-view.tsx'
import { MilestoneEvidence } from './evidence-view.tsx'
import { ImpactReports } from './impact-view.tsx'
import { DonationTable, News } from './list-views.tsx'
import type { LiveCampaign, LiveProps } from './live-campaign.ts'
import { MilestoneList, MilestonesInFull } from './milestone-list.tsx'

type Props = LiveProps & {
  chain: PublicChain | undefined
  /** The newest updates. */
  updates: readonly ListedUpdateView[]
  creator: CreatorView
  /** The public address of the page. */
  address: string
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
      <header class="title">
        <Kicker campaign={campaign} lang={lang} />
        <h1>{campaign.title}</h1>
      </header>
      <div class="columns">
        <Cover campaign={campaign} />
        <aside class="side" aria-label={t.donate}>
          <div class="card">{live('progress')}</div>
          <Account {...props} />
        </aside>
        <div class="story">
          <p class="lead plain-text">{lead}</p>
          <div class="description">
            <Paragraphs text={rest.join('\n\n')} />
          </div>
          {campaign.escrow && (
            <Section title={escrowTexts[lang].money.title}>{live('money')}</Section>
          )}
          <Creator creator={props.creator} lang={lang} />
          {campaign.milestones.length > 0 && (
            <Section title={t.milestones}>
              {!campaign.escrow && <p class="note">{t.planOnly}</p>}
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
          {campaign.status !== 'draft' && <TellOthers {...props} />}
        </div>
      </div>
      <div class="give-bar">{live('bar')}</div>
    </>
  )
}

/** The live parts of the page, by the names of their events. */
export const campaignParts = (props: LiveCampaign, lang: Language) => ({
  notices: <CampaignNotices {...props} lang={lang} />,
  progress: <CampaignCard {...props} lang={lang} />,
  money: <>{props.escrow && <EscrowMoney {...props} escrow={props.escrow} lang={lang} />}</>,
  /** For the page of the escrow. */
  asof: <AsOf {...props} slug={props.campaign.slug} lang={lang} />,
  milestones: <MilestoneList campaign={props.campaign} lang={lang} />,
  donations:
    props.donations.length === 0 ? (
      <Empty text={campaignTexts[lang].noDonations} />
    ) : (
      <DonationTable donations={props.donations} lang={lang} now={props.now} />
    ),
  bar: <GiveBar {...props} lang={lang} />,
})

const Section = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section class="page-section">
    <h2>{title}</h2>
    {children}
  </section>
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

/** The address of the page to copy, to send by mail, and to show on another site. */
const TellOthers = ({ campaign, address, lang }: Props) => {
  const { tell: t, copy } = campaignTexts[lang]
  const { copied } = copy
  const { title, slug } = campaign
  const mail = `mailto:?subject=${encodeURIComponent(title)}&body=${encodeURIComponent(address)}`
  const code = `<script src="${new URL('/embed.js', address)}"></script>
<fundproof-campaign campaign="${slug}" lang="${lang}"><a href="${address}">${address}</a></fundproof-campaign>`
  return (
    <section class="page-section">
      <h2>{t.title}</h2>
      <p class="tell-address">
        <Hash value={address} texts={{ copy: t.copyAddress, copied }} full />
      </p>
      <p class="section-links">
        <a href={mail}>{t.mail}</a>
      </p>
      <details>
        <summary>{t.embed}</summary>
        <p>
          <Hash value={code} texts={{ copy: t.copyCode, copied }} full />
        </p>
      </details>
    </section>
  )
}
