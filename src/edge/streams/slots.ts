import { DomainError } from '../../kernel/errors.ts'

/** A user or a network that may take at most `max` slots at the same time. */
type Holder = { name: string; key: string; max: number }

/** Limits how many streams are open in one process. Each open stream takes a slot. */
type Slots = {
  /**
   * Takes one slot, which counts for each of the holders. The returned function frees the slot.
   *
   * @throws DomainError `too_many_streams` if one of the holders already has `max` slots;
   *   `unavailable` if all slots of the process are taken
   */
  take(holders: readonly Holder[]): () => void
}

type SlotOptions = {
  /** The name of the streams in error messages, in the plural. */
  what: string
  max: number
  onChange?: (taken: number) => void
}

export const createSlots = ({ what, max, onChange }: SlotOptions): Slots => {
  const takenBy = new Map<string, number>()
  let taken = 0
  return {
    take(holders) {
      if (taken >= max) {
        throw new DomainError('unavailable', `No further ${what} can be opened here now.`)
      }
      const full = holders.find((holder) => (takenBy.get(holder.key) ?? 0) >= holder.max)
      if (full) {
        const most = `at most ${full.max} ${what} open at a time`
        throw new DomainError('too_many_streams', `${full.name} has ${most}.`)
      }
      const count = (by: number): void => {
        taken += by
        for (const { key } of holders) {
          const left = (takenBy.get(key) ?? 0) + by
          if (left === 0) takenBy.delete(key)
          else takenBy.set(key, left)
        }
        onChange?.(taken)
      }
      count(1)
      let given = false
      return () => {
        if (!given) count(-1)
        given = true
      }
    },
  }
}
