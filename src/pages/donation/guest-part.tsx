import { Button, LinkButton } from '../components/button.tsx'
import type { KeptDonation } from '../load/donation-cookie.ts'
import type { Visit } from '../page.ts'
import type { Language } from '../shared/languages.ts'
import { donationTexts } from '../texts/donation/index.ts'
import type { Tracked } from './load-donation.ts'

/** What a guest in this browser can do with the donation; null for other visitors. */
export type GuestRoad = 'sign_in' | 'claim'

/** Finds whether this browser gave as a guest, and whether the guest has signed in since. */
export const guestRoadOf = (
  { caller }: Pick<Visit, 'caller'>,
  { donation }: Pick<Tracked, 'donation'>,
  kept: KeptDonation | undefined,
): GuestRoad | null => {
  if (donation.userId !== null || !kept?.claimToken) return null
  return caller === null ? 'sign_in' : 'claim'
}

type Props = { road: GuestRoad; donationId: string; lang: Language }

/** Tells a guest how to find the donation again. */
export const GuestPart = ({ road, donationId, lang }: Props) => {
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
