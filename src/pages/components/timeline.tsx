import type { ComponentChildren } from 'preact'

export type TimelineItem = {
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

/** Steps along a vertical line, from the first to the last. */
export const Timeline = ({ items }: { items: readonly TimelineItem[] }) => (
  <ol class="timeline">
    {items.map(({ key, mark, title, markText, chip, end, children }) => (
      <li key={key} class={`mark-${mark}`} aria-current={mark === 'now' ? 'step' : undefined}>
        <div class="timeline-head">
          <h3>{title}</h3>
          {markText && <span class="visually-hidden">{markText}</span>}
          {chip}
          {end && <span class="timeline-end">{end}</span>}
        </div>
        {children && <div class="timeline-body">{children}</div>}
      </li>
    ))}
  </ol>
)
