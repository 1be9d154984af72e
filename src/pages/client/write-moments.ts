import { formatMoment } from '../shared/format.ts'

/**
 * Writes moments in the reader's own time zone. Each title is the exact moment. Where the text is
 * the same, it also changes. Receipts keep UTC.
 */
export const writeMoments = (root: ParentNode): void => {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  for (const time of root.querySelectorAll<HTMLTimeElement>('time:not(.receipt time)')) {
    const own = formatMoment(document.documentElement.lang, new Date(time.dateTime), timeZone)
    if (time.textContent === time.title) time.textContent = own
    time.title = own
  }
}
