import { keepLive } from '../live/page-stream.ts'

/** Keeps each `<live-part src name>` up to date, with one stream for all parts of a `src`. */
const parts = [...document.querySelectorAll('live-part')]
for (const [src, ofSrc] of Map.groupBy(parts, (part) => part.getAttribute('src'))) {
  if (src !== null) keepLive(src, ofSrc)
}
