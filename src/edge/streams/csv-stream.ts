import { messageOf } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/ports/log.ts'
import { type CsvCell, csvRow } from '../answer/csv.ts'
import type { AnswerStream } from '../answer/outcome.ts'

type CsvSource<Place> = {
  log: Log
  head: readonly string[]
  /** Reads rows after `after`; if undefined, the first rows. `next` is null after the last rows. */
  read(after: Place | undefined): Promise<{ rows: CsvCell[][]; next: Place | null }>
  /** Called once, when the stream has ended, was cancelled or was discarded. */
  onEnd(): void
}

/**
 * A CSV table as a stream. Reads the next rows when the client has taken the previous rows. Between
 * two reads the stream holds no database connection, and at most the rows of one read.
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
          // Cuts the connection, because the client must see that rows are missing.
          cut()
        }
        end()
        controller.close()
      },
      cancel: end,
    })
  },
})
