import type { ComponentChildren } from 'preact'

export type BannerTone = 'good' | 'info' | 'warn' | 'bad' | 'quiet'

const ICONS: Record<BannerTone, IconName> = {
  good: 'check',
  info: 'info',
  warn: 'warning',
  bad: 'cross',
  quiet: 'info',
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

/** The warning directly above each button that leads to giving. */
export const Audit = ({ text }: { text: string }) => (
  <p class="audit">
    <Icon name="warning" />
    <strong>{text}</strong>
  </p>
)

/** On a donation, `good` means proven, and nothing else. */
export type Tone = 'good' | 'info' | 'warn' | 'bad' | 'quiet'

const CHIP_ICONS: Partial<Record<Tone, IconName>> = { good: 'check', bad: 'cross' }

type ChipProps = {
  tone: Tone
  href?: string | undefined
  big?: boolean
  children: ComponentChildren
}

/** A state in one or two words, as a link if it has a page of its own. */
export const Chip = ({ tone, href, big = false, children }: ChipProps) => {
  const name = CHIP_ICONS[tone]
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

/** The lines of each icon in a square of 16. */
const PATHS = {
  check: 'M3 8.5l3.5 3.5L13 4.5',
  cross: 'M4 4l8 8M12 4l-8 8',
  warning: 'M8 2L1.5 13.5h13zM8 6.5v3M8 11.4v.2',
  info: 'M8 2a6 6 0 100 12A6 6 0 008 2zM8 7.5V11M8 5v.2',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  back: 'M13 8H3M7 4L3 8l4 4',
  share: 'M8 10V2M5 5l3-3 3 3M3 8v6h10V8',
  download: 'M8 2v8M5 7l3 3 3-3M3 13.5h10',
  print: 'M4.5 6V2.5h7V6M4.5 11.5h-2V6h11v5.5h-2M4.5 9.5h7v4h-7z',
  arrow: 'M2.5 8h11M9 3.5L13.5 8 9 12.5',
  lock: 'M4 7h8v6.5H4zM5.5 7V5a2.5 2.5 0 015 0v2',
} as const

export type IconName = keyof typeof PATHS

/** A small picture that repeats what the text beside it says. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
)

/** A round mark before a state in large letters. */
export const Tick = ({ icon }: { icon: IconName }) => (
  <span class="tick">
    <Icon name={icon} />
  </span>
)
