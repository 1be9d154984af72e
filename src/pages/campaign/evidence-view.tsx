import type { CampaignView, SignedEvidence } from '../../domain/campaigns/index.ts'
import type { PublicChain } from '../../kernel/settings.ts'
import { Hash, KeyValues } from '../components/values.tsx'
import { excerptOf, explorerLink } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { campaignTexts } from '../texts/campaign/index.ts'

/** The most links and characters of a list of evidence. The API has all of it. */
const MAX_LINKS = 5
const MAX_EXCERPT = 280

type Props = {
  campaign: CampaignView
  evidence: readonly SignedEvidence[]
  chain: PublicChain | undefined
  lang: Language
}

/** What verifiers have signed for each milestone: the evidence, its fingerprint and the signers. */
export const MilestoneEvidence = ({ campaign, evidence, chain, lang }: Props) => {
  const t = campaignTexts[lang]
  return (
    <>
      {campaign.milestones.map(({ id, title }, index) =>
        evidence
          .filter(({ milestoneId }) => milestoneId === id)
          .map((signed) => (
            <article key={signed.evidenceHash} class="news signed" id={`evidence-${id}`}>
              <h3>{t.evidenceOf(title ?? t.milestone(index + 1))}</h3>
              <Facts signed={signed} chain={chain} lang={lang} />
              <p class="section-links">
                <a href={`/api/milestones/${id}/verification`}>{t.checkSignatures}</a>
              </p>
            </article>
          )),
      )}
    </>
  )
}

type FactsProps = Pick<Props, 'chain' | 'lang'> & { signed: SignedEvidence }

const Facts = ({
  signed: { evidence, evidenceHash, signers, txHash },
  chain,
  lang,
}: FactsProps) => {
  const t = campaignTexts[lang]
  return (
    <KeyValues
      items={[
        { key: t.promisedEvidence, value: <Links evidence={evidence} none={t.evidenceNotHere} /> },
        {
          key: t.fingerprint,
          value: <Hash value={evidenceHash} texts={t.copy} />,
          hint: t.fingerprintOf,
        },
        ...signers.map(({ address, name, signature }) => ({
          key: t.signedBy,
          value: (
            <>
              {name ?? t.unnamed} <Hash value={address} />
            </>
          ),
          hint: signature ? (
            <>
              {t.signature} <Hash value={signature} texts={t.copy} />
            </>
          ) : (
            t.signedOnChain
          ),
        })),
        txHash !== null && {
          key: t.paidBy,
          value: <Hash value={txHash} href={explorerLink(chain, 'tx', txHash)} texts={t.copy} />,
        },
      ]}
    />
  )
}

type LinksProps = {
  evidence: readonly { type: string; url: string; description?: string | undefined }[] | null
  none: string
}

/** Links to the evidence on pages of other people, each with its kind, its host and its words. */
export const Links = ({ evidence, none }: LinksProps) => {
  if (evidence === null) return none
  return (
    <>
      {evidence.slice(0, MAX_LINKS).map(({ type, url, description }) => (
        <p key={url}>
          <a href={url} rel="nofollow ugc noreferrer">
            {type} ({new URL(url).host})
          </a>
          {description && <span class="hint">{excerptOf(description, MAX_EXCERPT)}</span>}
        </p>
      ))}
      {evidence.length > MAX_LINKS && <p>+ {evidence.length - MAX_LINKS}</p>}
    </>
  )
}
