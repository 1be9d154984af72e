import { formatDay, formatMoment, formatRelative } from '../shared/format.ts'

type Props = {
  at: Date
  lang: string
  /** With `now`, the time is relative to it, and the exact time is its title. */
  now?: Date
  /** Shows the day only. */
  day?: boolean
}

/** A moment as text. Times of day are UTC. */
export const Time = ({ at, lang, now, day = false }: Props) => {
  const exact = formatMoment(lang, at)
  return (
    <time dateTime={at.toISOString()} title={exact}>
      {now ? formatRelative(lang, at, now) : day ? formatDay(lang, at) : exact}
    </time>
  )
}
