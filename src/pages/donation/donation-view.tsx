import type { DepositView } from '../../domain/donations/index.ts'
import type { CheckProps } from '../components/check-state.ts'
import { Button } from '../components/form.tsx'
import { LivePart } from '../components/live-part.tsx'
import { Fold } from '../components/values.tsx'
import type { KeptDonation } from '../load/donation-cookie.ts'
import type { ReadyRefund } from '../load/ready-refund.ts'
import type { Visit } from '../page.ts'
import { BackToCampaign } from '../parts/campaign-parts.tsx'
import { ReadyTransactionPart, RefundFacts } from '../parts/escrow-parts.tsx'
import { CheckIsland } from '../parts/islands.tsx'
import {
  PaymentInstructions,
  type PaymentInstructionsProps,
} from '../parts/payment-instructions.tsx'
import { formatDuration, formatMoney } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { donationTexts } from '../texts/donation/index.ts'
import { DonationFacts } from './donation-facts.tsx'
import { DonationPanel, doneOf } from './donation-panel.tsx'
import { DonationSteps } from './donation-state.tsx'
import type { Tracked } from './load-donation.ts'
import { OfferedPayment } from './offered-payment.tsx'
import { STEP_KEYS } from './tracker.ts'

type LiveProps = { tracked: Tracked; lang: Language }

type Props = LiveProps & {
  check: CheckProps
  /** How to pay; null unless the donation waits for its payment. */
  payment: PaymentInstructionsProps | null
  /** The payments without a donation that are offered to the donor. */
  offered: readonly DepositView[]
  /** The wallet that the donor named, in the donor's browser. */
  wallet: string | undefined
  /** Null unless a refund can be sent now. */
  ready: ReadyRefund | null
  /** Null unless a guest gave in this browser. */
  guest: GuestOffer | null
}

/** The parts of the page that change while it is open. All visitors get the same parts. */
export const donationParts = (tracked: Tracked, lang: Language) => ({
  panel: <DonationPanel tracked={tracked} lang={lang} />,
  refund: <RefundPart tracked={tracked} lang={lang} />,
  steps: <Way tracked={tracked} lang={lang} />,
  facts: <DonationFacts tracked={tracked} lang={lang} />,
})

/** The steps of the donation. They are open until the donation is proven. */
const Way = ({ tracked, lang }: LiveProps) => {
  const { way, wayLength } = donationTexts[lang]
  const sealed = tracked.proof?.ledger.seals.at(-1)
  const ms = sealed && Date.parse(sealed.sealedAt) - tracked.donation.createdAt.getTime()
  const end = ms && wayLength(String(STEP_KEYS.length), formatDuration(lang, ms))
  return (
    <Fold title={way} end={end} open={!sealed || doneOf(tracked, lang) === null}>
      <DonationSteps tracked={tracked} lang={lang} />
    </Fold>
  )
}

/** The page of a donation: where it is, why, and its proof. */
export const DonationPage = (props: Props) => {
  const { tracked, lang, check, payment, offered, wallet, ready, guest } = props
  const { donation, campaign } = tracked
  const t = donationTexts[lang]
  const parts = donationParts(tracked, lang)
  const path = `/d/${donation.id}`
  const live = (name: keyof typeof parts) => (
    <LivePart src={`${path}/live?lang=${lang}`} name={name}>
      {parts[name]}
    </LivePart>
  )
  const yourRefund = (
    <>
      {live('refund')}
      {ready && <RefundDesk ready={ready} lang={lang} />}
    </>
  )
  // A donor who can act sees first what to do.
  const isOpen = tracked.refund !== null && tracked.refund.state !== 'done'
  return (
    <div class="donation">
      <BackToCampaign campaign={campaign} lang={lang} />
      {isOpen && yourRefund}
      <div role="status" aria-label={t.state}>
        {live('panel')}
      </div>
      <div class="columns">
        <div>
          {offered.map((one) => (
            <OfferedPayment key={one.id} {...{ tracked, payment: one, wallet, lang }} />
          ))}
          {payment && (
            <div class="when-awaiting">
              <PaymentInstructions {...payment} />
            </div>
          )}
          <Words donation={donation} lang={lang} />
          {!isOpen && yourRefund}
          <section class="page-section when-credited">
            <h2>{t.check.title}</h2>
            <p>{t.check.lead}</p>
            <CheckIsland {...check} />
            <p class="note">{t.check.keep}</p>
          </section>
          <section class="page-section unless-awaiting">
            <h2 class="visually-hidden">{t.state}</h2>
            {live('steps')}
          </section>
          {guest && <GuestPart offer={guest} donationId={donation.id} lang={lang} />}
        </div>
        <section class="side card donation-details">
          <h2>{t.facts.title}</h2>
          {live('facts')}
        </section>
      </div>
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
type GuestOffer = 'sign_in' | 'claim'

/** Finds whether this browser gave as a guest, and whether the guest has signed in since. */
export const guestOfferOf = (
  { caller }: Pick<Visit, 'caller'>,
  { donation }: Pick<Tracked, 'donation'>,
  kept: KeptDonation | undefined,
): GuestOffer | null => {
  if (donation.userId !== null || !kept?.claimToken) return null
  return caller === null ? 'sign_in' : 'claim'
}

/** Tells a guest how to find the donation again. */
const GuestPart = ({
  offer,
  donationId,
  lang,
}: {
  offer: GuestOffer
  donationId: string
  lang: Language
}) => {
  const { guest: t } = donationTexts[lang]
  return (
    <section class="page-section unless-awaiting">
      <h2>{t.title}</h2>
      <p>{t.keep}</p>
      <div class="donation-links">
        <form method="post" action={`/d/${donationId}/claim`}>
          <Button kind="plain">{offer === 'claim' ? t.claim : t.signIn}</Button>
        </form>
      </div>
    </section>
  )
}

/** The refund of a donation: its state, who gets the money, and the transactions that paid it. */
const RefundPart = ({ tracked, lang }: LiveProps) => {
  const { donation, refund } = tracked
  const { refund: t } = donationTexts[lang]
  if (refund === null) return null
  const { state, money } = refund
  return (
    <section class="page-section" data-refund={state}>
      <h2>{state === 'ready' && money ? t.collect(formatMoney(lang, money)) : t.title}</h2>
      <RefundFacts
        {...{ refund, lang }}
        quorum={refund.escrow.terms.quorum}
        chain={tracked.chain}
      />
      {state === 'ready' && (
        <p class="section-links without-desk">
          <a href={`/d/${donation.id}`}>{t.show}</a>
        </p>
      )}
    </section>
  )
}

/**
 * Lets the donor, or any other visitor, send a refund. The server does not replace this part while
 * the page is open, because it keeps the state of the wallet. The styles hide it as soon as a block
 * has the refund.
 */
export const RefundDesk = ({ ready, lang }: { ready: ReadyRefund; lang: Language }) => (
  <div class="when-refundable">
    <ReadyTransactionPart {...ready} lang={lang} sent={donationTexts[lang].refund.posted} />
  </div>
)
