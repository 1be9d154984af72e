import type { Progress } from '../domain/books/index.ts'

const EVERY_MS = 10_000

/** Prints the progress of `npm run check` every 10 seconds. A short check prints none. */
export const createProgress = (say: (line: string) => void = console.error) => {
  const startedMs = performance.now()
  let newest: Progress | undefined
  const timer = setInterval(() => {
    if (newest) say(lineOf(newest, performance.now() - startedMs))
  }, EVERY_MS)
  timer.unref()
  return {
    onProgress: (progress: Progress) => {
      newest = progress
    },
    stop: () => clearInterval(timer),
  }
}

const lineOf = ({ part, share, entries }: Progress, ms: number): string => {
  const percent = `${Math.floor(share * 100)} % done, now ${part}`
  if (share === 0) return percent
  const rate = Math.round((entries * share * 1_000) / ms)
  const left = Math.round((ms * (1 - share)) / share / 1_000)
  const time = left < 120 ? `${left} s` : `${Math.round(left / 60)} min`
  return `${percent}; ${rate} entries/s, about ${time} left`
}
