import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'

/** On a donation, `good` means proven, and nothing else. */
export type Tone = 'good' | 'info' | 'warn' | 'bad' | 'quiet'

const ICONS: Partial<Record<Tone, IconName>> = { good: 'check', bad: 'cross' }

type Props = { tone: Tone; href?: string | undefined; big?: boolean; children: ComponentChildren }

/** A state in one or two words, as a link if it has a page of its own. */
export const Chip = ({ tone, href, big = false, children }: Props) => {
  const name = ICONS[tone]
  const inside = (
    <>
      {name && <Icon name={name} />}
      <span>{children}</span>
    </>
  )
  const style = `chip chip-${tone}${big ? ' chip-big' : ''}`
  return href === undefined ? (
    <span class={style}>{inside}</span>
  ) : (
    <a class={style} href={href}>
      {inside}
    </a>
  )
}
