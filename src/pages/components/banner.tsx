import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'

export type BannerTone = 'good' | 'info' | 'warn' | 'bad'

const ICONS: Record<BannerTone, IconName> = {
  good: 'check',
  info: 'info',
  warn: 'warning',
  bad: 'cross',
}

type Props = { tone: BannerTone; title?: string; children?: ComponentChildren }

/** A state that concerns the whole page. */
export const Banner = ({ tone, title, children }: Props) => (
  <div class={`banner banner-${tone}`}>
    <Icon name={ICONS[tone]} />
    <div>
      {title && (
        <p>
          <strong>{title}</strong>
        </p>
      )}
      {typeof children === 'string' ? <p>{children}</p> : children}
    </div>
  </div>
)
