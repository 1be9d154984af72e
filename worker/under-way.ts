/** What has begun and not ended, with promises for when that becomes less. */
export type UnderWay<T> = {
  readonly size: number
  add(item: T): void
  delete(item: T): void
  values(): T[]
  /** Resolves when one of them has ended. */
  less(): Promise<void>
  /** Resolves when nothing is under way. */
  none(): Promise<void>
}

export const createUnderWay = <T>(): UnderWay<T> => {
  const items = new Set<T>()
  let listeners: (() => void)[] = []
  const less = (): Promise<void> =>
    new Promise((resolve) => {
      listeners.push(resolve)
    })
  return {
    get size() {
      return items.size
    },
    add: (item) => items.add(item),
    delete(item) {
      items.delete(item)
      if (listeners.length === 0) return
      const told = listeners
      listeners = []
      for (const tell of told) tell()
    },
    values: () => [...items],
    less,
    async none() {
      while (items.size > 0) await less()
    },
  }
}
