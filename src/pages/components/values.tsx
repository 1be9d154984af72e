import type { ComponentChildren } from 'preact'
import { formatDay, formatMoment, formatMoney, formatRelative, shorten } from '../shared/format.ts'
import { Icon } from './states.tsx'

/** `copy` names the button, such as "Copy the address"; `copied` is said after the click. */
export type CopyTexts = { copy: string; copied: string }

/** A button that copies a text. It is hidden without JavaScript. */
export const Copy = ({ value, texts }: { value: string; texts: CopyTexts }) => (
  <button
    type="button"
    class="copy"
    data-copy={value}
    data-copied={texts.copied}
    aria-label={texts.copy}
    title={texts.copy}
  >
    <Icon name="copy" />
  </button>
)

type Props = {
  value: string
  /** The page of an explorer. */
  href?: string | undefined
  /** Without texts there is no button. */
  texts?: CopyTexts
  /** Shows all characters. */
  full?: boolean
}

/** A hash or an address, short in the middle. */
export const Hash = ({ value, href, texts, full = false }: Props) => {
  const code = <code title={full ? undefined : value}>{full ? value : shorten(value)}</code>
  return (
    <span class={full ? 'hash hash-full' : 'hash'}>
      {href ? (
        <a href={href} rel="noreferrer">
          {code}
        </a>
      ) : (
        code
      )}
      {texts && <Copy value={value} texts={texts} />}
    </span>
  )
}

type MoneyProps = {
  /** Decimal text. */
  value: string
  currency: string
  lang: string
  /** The least number of decimals. */
  least?: number
  /** The same money in the currency in which it was paid, shown below. */
  paid?: { value: string; currency: string } | null
  /** True for money that does not count (any more). */
  gone?: boolean
}

/** An amount with its currency. It never breaks into two lines. */
export const Money = ({ value, currency, lang, least, paid, gone = false }: MoneyProps) => {
  const text = formatMoney(lang, { value, currency }, least)
  return (
    <span class="money">
      {gone ? <s>{text}</s> : text}
      {paid && <span class="money-paid">{formatMoney(lang, paid)}</span>}
    </span>
  )
}

type TimeProps = {
  at: Date
  lang: string
  /** With `now`, the time is relative to it, and the exact time is its title. */
  now?: Date
  /** Shows the day only. */
  day?: boolean
}

/**
 * A moment as text. Times of day are UTC, until the script of the page writes them in the reader's
 * own time zone.
 */
export const Time = ({ at, lang, now, day = false }: TimeProps) => {
  const exact = formatMoment(lang, at)
  return (
    <time dateTime={at.toISOString()} title={exact}>
      {now ? formatRelative(lang, at, now) : day ? formatDay(lang, at) : exact}
    </time>
  )
}

type WithTimeProps = { sentence: (moment: string) => string; at: Date; lang: string }

/** A sentence with an exact moment in it. */
export const WithTime = ({ sentence, at, lang }: WithTimeProps) => {
  const [before, after] = sentence('\0').split('\0')
  return (
    <>
      {before}
      <Time at={at} lang={lang} />
      {after}
    </>
  )
}

export type KeyValue = { key: string; hint?: ComponentChildren; value: ComponentChildren }

/** Facts, one in a line. `null` and `false` leave out a line. */
export const KeyValues = ({ items }: { items: readonly (KeyValue | null | false)[] }) => (
  <dl class="key-values">
    {items.map(
      (item) =>
        item && (
          <div key={item.key}>
            <dt>{item.key}</dt>
            <dd>
              {item.value}
              {item.hint && <span class="hint">{item.hint}</span>}
            </dd>
          </div>
        ),
    )}
  </dl>
)

type FilledProps = { text: string; values: Readonly<Record<string, ComponentChildren>> }

/** A sentence with an element in place of each `{name}`. */
export const Filled = ({ text, values }: FilledProps) => (
  <>{text.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 1 ? values[part] : part))}</>
)

type FoldProps = {
  title: string
  /** A short text at the end of the line. */
  end?: ComponentChildren
  open?: boolean
  children: ComponentChildren
}

/** A part that is folded until a visitor opens it. */
export const Fold = ({ title, end, open = false, children }: FoldProps) => (
  <details class="fold" open={open}>
    <summary>
      {title}
      {end && <span class="fold-end">{end}</span>}
    </summary>
    {children}
  </details>
)
