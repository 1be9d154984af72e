import { messageOf } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/ports/log.ts'
import { type CsvCell, csvRow } from '../answer/csv.ts'
import type { AnswerStream } from '../answer/outcome.ts'

type CsvSource<Place> = {
  log: Log
  head: readonly string[]
  /** The next rows behind a place, at the beginning behind none. `next` is null at the end. */
  read(after: Place | undefined): Promise<{ rows: CsvCell[][]; next: Place | null }>
  /** Called once, when nothing is read any more. */
  onEnd(): void
}

/**
 * A table that is read while it goes out: the next rows once the last ones are taken. Between two
 * reads it holds neither a connection to the database nor more than these rows.
 */
export const csvStream = <Place>({ log, head, read, onEnd }: CsvSource<Place>): AnswerStream => ({
  discard: onEnd,
  open(cut) {
    const encoder = new TextEncoder()
    let after: Place | undefined
    let ended = false
    const end = (): void => {
      ended = true
      onEnd()
    }
    return new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(encoder.encode(csvRow(head)))
      },
      async pull(controller) {
        try {
          const { rows, next } = await read(after)
          if (ended) return
          if (rows.length > 0) controller.enqueue(encoder.encode(rows.map(csvRow).join('')))
          if (next !== null) {
            after = next
            return
          }
        } catch (error) {
          log.warn({ reason: messageOf(error) }, 'a table could not be written completely')
          if (ended) return
          // Without the end of its answer a client knows that rows are missing.
          cut()
        }
        end()
        controller.close()
      },
      cancel: end,
    })
  },
})
