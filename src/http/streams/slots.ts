import { DomainError } from '../../kernel/errors.ts'

/** A caller or a network that may have so many slots at a time. */
type Holder = { name: string; key: string; max: number }

/** Slots for what goes on after its answer has begun, of one process. */
export type Slots = {
  /**
   * Takes one for all holders together. Returns what gives it back, once.
   *
   * @throws DomainError `too_many_streams`, `unavailable`
   */
  take(holders: readonly Holder[]): () => void
}

type SlotOptions = {
  /** In the plural, as a part of a sentence. */
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
