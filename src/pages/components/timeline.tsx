import type { ComponentChildren } from 'preact'

type TimelineItem = {
  key: string
  /** `now` is the step that runs, `bad` the step that failed. */
  mark: 'done' | 'now' | 'next' | 'bad'
  title: string
  /** Says the mark in words, for the people who do not see it. */
  markText?: string
  chip?: ComponentChildren
  /** Stands at the end of the line, such as an amount. */
  end?: ComponentChildren
  children?: ComponentChildren
}

type Props = {
  items: readonly TimelineItem[]
  /** Whether the page has a heading above the steps, so that their titles are headings below it. */
  hasHeading?: boolean
}

/** Steps along a vertical line, from the first to the last. */
export const Timeline = ({ items, hasHeading = false }: Props) => {
  const Title = hasHeading ? 'h3' : 'p'
  return (
    <ol class="timeline">
      {items.map(({ key, mark, title, markText, chip, end, children }) => (
        <li key={key} class={`mark-${mark}`} aria-current={mark === 'now' ? 'step' : undefined}>
          <div class="timeline-head">
            <Title class="timeline-title">{title}</Title>
            {markText && <span class="visually-hidden">{markText}</span>}
            {chip}
            {end && <span class="timeline-end">{end}</span>}
          </div>
          {children && <div class="timeline-body">{children}</div>}
        </li>
      ))}
    </ol>
  )
}
