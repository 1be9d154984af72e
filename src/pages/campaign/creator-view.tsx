import type { ComponentChildren } from 'preact'
import type { CreatorView } from '../../domain/campaigns/index.ts'
import { Icon } from '../components/states.tsx'
import { Hash, Time } from '../components/values.tsx'
import { formatDay, formatMoney } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { campaignTexts } from '../texts/campaign/index.ts'

type Props = { creator: CreatorView; lang: Language }

/** What is proven about the creator of a campaign, and what this service has not checked. */
export const Creator = ({ creator, lang }: Props) => {
  const { creator: t, status: states } = campaignTexts[lang]
  const { name, since, account, provenAt, earlier } = creator
  return (
    <section class="page-section creator">
      <h2>{name ?? t.unnamed}</h2>
      <p class="note">
        {t.since} <Time at={since} lang={lang} day />
      </p>
      <ul class="facts">
        <Fact isProven={provenAt !== null}>
          <strong>{provenAt ? t.proven : t.unproven}</strong>{' '}
          {provenAt && t.signed(formatDay(lang, provenAt))} <Hash value={account} />
        </Fact>
        {earlier.map(({ slug, title, status, raised, milestones, verified }) => (
          <Fact key={slug} isProven={status === 'completed'}>
            <a href={`/c/${slug}`}>{title}</a>: {states[status]}.{' '}
            {status === 'completed' &&
              t.result({
                raised: formatMoney(lang, raised),
                verified: String(verified),
                all: String(milestones),
              })}
          </Fact>
        ))}
        <Fact isProven={false}>{t.unchecked}</Fact>
      </ul>
    </section>
  )
}

const Fact = ({ isProven, children }: { isProven: boolean; children: ComponentChildren }) => (
  <li class={isProven ? 'yes' : 'no'}>
    {isProven ? <Icon name="check" /> : <span aria-hidden="true">–</span>}
    <span>{children}</span>
  </li>
)
