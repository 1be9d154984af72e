/** Gets the progress. A terminal shows one line that changes, and a file gets new lines. */
type Output = { isTTY?: boolean; columns?: number; write(text: string): unknown }

/** The least time between two lines, if the output is not a terminal. */
const LINE_EVERY_MS = 5_000
const BAR_CHARS = 24

/** Shows the progress of a comparison, its speed and the remaining time. */
export const createProgress = (output: Output, nowMs: () => number = Date.now) => {
  const startedAt = nowMs()
  let begunWith: number | undefined
  let writtenAt = Number.NEGATIVE_INFINITY
  let shown = false

  const textOf = (done: number, total: number): string => {
    const seconds = Math.max((nowMs() - startedAt) / 1_000, 0.001)
    const perSecond = (done - (begunWith ?? 0)) / seconds
    const left = perSecond > 0 ? duration((total - done) / perSecond) : '?'
    const percent = total === 0 ? 100 : Math.floor((done * 100) / total)
    const filled = total === 0 ? BAR_CHARS : Math.floor((done * BAR_CHARS) / total)
    const bar = output.isTTY ? `[${'#'.repeat(filled)}${'.'.repeat(BAR_CHARS - filled)}] ` : ''
    return `${bar}${percent} %  ${done} of ${total}  ${Math.round(perSecond)} blocks/s  ${left} left`
  }

  return {
    /** Reports that `done` of `total` blocks are compared. */
    update(done: number, total: number): void {
      begunWith ??= done
      if (output.isTTY) {
        output.write(`\r${textOf(done, total).slice(0, (output.columns ?? 80) - 1)}\u001b[K`)
        shown = true
        return
      }
      if (nowMs() - writtenAt < LINE_EVERY_MS && done < total) return
      writtenAt = nowMs()
      output.write(`${textOf(done, total)}\n`)
    },
    end(): void {
      if (shown) output.write('\n')
      shown = false
    },
  }
}

/** A duration as text: 75 gives `1 min 15 s`. */
const duration = (seconds: number): string => {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return `${minutes} min ${whole % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
