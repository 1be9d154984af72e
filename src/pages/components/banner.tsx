import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'

export type BannerTone = 'good' | 'info' | 'warn' | 'bad'

const ICONS: Record<BannerTone, IconName> = {
  good: 'check',
  info: 'info',
  warn: 'warning',
  bad: 'cross',
}

type Props = { tone: BannerTone; title?: string; live?: boolean; children?: ComponentChildren }

/** A state that concerns the whole page. With `live`, screen readers say its changes. */
export const Banner = ({ tone, title, live = false, children }: Props) => (
  <div class={`banner banner-${tone}`} role={live ? 'status' : undefined}>
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
