import { DomainError } from '../../../kernel/errors.ts'

/**
 * A position in the event feed: the number of a database transaction (`tx`), and the number of an
 * event (`seq`). Events are in the order of `tx`, then of `seq`.
 */
export type Position = { tx: bigint; seq: bigint }

export const BEGINNING: Position = { tx: 0n, seq: 0n }

/** The position before all events of the transaction `horizon` and of later transactions. */
export const startOf = (horizon: bigint): Position => ({ tx: horizon, seq: 0n })

export const isAfter = (position: Position, other: Position): boolean =>
  position.tx === other.tx ? position.seq > other.seq : position.tx > other.tx

export const laterOf = (position: Position, other: Position): Position =>
  isAfter(position, other) ? position : other

/** Encodes a position as an opaque cursor for callers. A cursor never expires. */
export const encodePosition = ({ tx, seq }: Position): string =>
  Buffer.from(`${tx}.${seq}`).toString('base64url')

const FORM = /^(0|[1-9]\d{0,19})\.(0|[1-9]\d{0,18})$/
/** The largest values of the PostgreSQL types xid8 and bigint. */
const MAX_TX = 2n ** 64n - 1n
const MAX_SEQ = 2n ** 63n - 1n

/** @throws DomainError `invalid_cursor` if `encodePosition` cannot have made the cursor */
export const decodePosition = (cursor: string): Position => {
  const [, tx, seq] = FORM.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (tx !== undefined && seq !== undefined) {
    const position = { tx: BigInt(tx), seq: BigInt(seq) }
    if (position.tx <= MAX_TX && position.seq <= MAX_SEQ) return position
  }
  throw new DomainError('invalid_cursor', 'The cursor does not come from this service.')
}
