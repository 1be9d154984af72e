import type { CheckProps } from '../components/check-state.ts'
import { Button, LinkButton } from '../components/form.tsx'
import { LivePart } from '../components/live-part.tsx'
import type { KeptDonation } from '../load/donation-cookie.ts'
import type { ReadyRefund } from '../load/ready-refund.ts'
import type { Visit } from '../page.ts'
import { DonationChip } from '../parts/donation-chip.tsx'
import { CheckIsland } from '../parts/islands.tsx'
import {
  PaymentInstructions,
  type PaymentInstructionsProps,
} from '../parts/payment-instructions.tsx'
import { formatMoney } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { campaignTexts } from '../texts/campaign/index.ts'
import { donationTexts } from '../texts/donation/index.ts'
import { DonationFacts } from './donation-facts.tsx'
import { DonationState } from './donation-state.tsx'
import { DonationSteps } from './donation-steps.tsx'
import type { Tracked } from './load-donation.ts'
import { RefundDesk, RefundPart } from './refund-part.tsx'

type Props = {
  tracked: Tracked
  lang: Language
  check: CheckProps
  /** How to pay; null unless the donation waits for its payment. */
  payment: PaymentInstructionsProps | null
  /** Null unless a refund can be sent now. */
  ready: ReadyRefund | null
  /** Null unless a guest gave in this browser. */
  guest: GuestRoad | null
}

/** The parts of the page that change while it is open. All visitors get the same parts. */
export const donationParts = (tracked: Tracked, lang: Language) => ({
  chip: <DonationChip donation={tracked.donation} lang={lang} big />,
  state: <DonationState tracked={tracked} lang={lang} />,
  refund: <RefundPart tracked={tracked} lang={lang} />,
  steps: <DonationSteps tracked={tracked} lang={lang} />,
  facts: <DonationFacts tracked={tracked} lang={lang} />,
})

/** The title of the page: how much, and for which campaign. */
export const titleOf = ({ donation, campaign }: Tracked, lang: Language): string =>
  donationTexts[lang].title(formatMoney(lang, donation.amount), campaign.title)

/** The page of a donation: where it is, why, and its proof. */
export const DonationPage = ({ tracked, lang, check, payment, ready, guest }: Props) => {
  const { donation, campaign } = tracked
  const t = donationTexts[lang]
  const parts = donationParts(tracked, lang)
  const path = `/d/${donation.id}`
  const live = (name: keyof typeof parts) => (
    <LivePart src={`${path}/live?lang=${lang}`} name={name}>
      {parts[name]}
    </LivePart>
  )
  return (
    <div class="donation">
      <p class="back">
        <a href={`/c/${campaign.slug}`} title={campaignTexts[lang].backToCampaign}>
          ← {campaign.title}
        </a>
      </p>
      <h1>{titleOf(tracked, lang)}</h1>
      {live('chip')}
      <div role="status" aria-label={t.state}>
        {live('state')}
      </div>
      <Words donation={donation} lang={lang} />
      {payment && (
        <div class="when-awaiting">
          <PaymentInstructions {...payment} />
        </div>
      )}
      {live('refund')}
      {ready && <RefundDesk ready={ready} lang={lang} />}
      <section class="page-section">
        <h2 class="visually-hidden">{t.state}</h2>
        {live('steps')}
      </section>
      <section class="page-section when-credited">
        <h2>{t.check.title}</h2>
        <p>{t.check.lead}</p>
        <CheckIsland {...check} />
        <p class="donation-links">
          <a href={`/api/donations/${donation.id}/proof`} download={`proof-${donation.id}.json`}>
            {t.check.download}
          </a>
          <LinkButton kind="plain" href={`${path}/receipt`}>
            {t.receipt.title}
          </LinkButton>
        </p>
        <p class="note">{t.check.keep}</p>
      </section>
      {guest && <GuestPart road={guest} donationId={donation.id} lang={lang} />}
      <section class="page-section">
        <h2>{t.facts.title}</h2>
        {live('facts')}
      </section>
    </div>
  )
}

/** The name and the message of the donor. Streams have no session, so this part is not live. */
const Words = ({
  donation: { donor },
  lang,
}: {
  donation: Tracked['donation']
  lang: Language
}) => {
  const { facts: t } = donationTexts[lang]
  if (donor === null) return null
  return (
    <figure class="donor-words">
      {donor.message && <blockquote>{donor.message}</blockquote>}
      <figcaption>
        {donor.name ?? t.anonymous}
        {donor.hidden && <span class="hint">{t.hidden}</span>}
      </figcaption>
    </figure>
  )
}

/** What a guest in this browser can do with the donation; null for other visitors. */
type GuestRoad = 'sign_in' | 'claim'

/** Finds whether this browser gave as a guest, and whether the guest has signed in since. */
export const guestRoadOf = (
  { caller }: Pick<Visit, 'caller'>,
  { donation }: Pick<Tracked, 'donation'>,
  kept: KeptDonation | undefined,
): GuestRoad | null => {
  if (donation.userId !== null || !kept?.claimToken) return null
  return caller === null ? 'sign_in' : 'claim'
}

type GuestPartProps = { road: GuestRoad; donationId: string; lang: Language }

/** Tells a guest how to find the donation again. */
const GuestPart = ({ road, donationId, lang }: GuestPartProps) => {
  const { guest: t } = donationTexts[lang]
  const path = `/d/${donationId}`
  return (
    <section class="page-section">
      <h2>{t.title}</h2>
      <p>{t.keep}</p>
      <div class="donation-links">
        {road === 'claim' ? (
          <form method="post" action={`${path}/claim`}>
            <Button kind="plain">{t.claim}</Button>
          </form>
        ) : (
          <LinkButton kind="plain" href={`/sign-in?to=${encodeURIComponent(path)}`}>
            {t.signIn}
          </LinkButton>
        )}
      </div>
    </section>
  )
}
