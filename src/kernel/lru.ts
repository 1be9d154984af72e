/** A map of at most `capacity` entries. A full map drops its least recently used entry. */
type Lru<V> = {
  get(key: string): V | undefined
  set(key: string, value: V): void
  delete(key: string): void
}

export const createLru = <V>(capacity: number): Lru<V> => {
  const entries = new Map<string, V>()
  return {
    get(key) {
      const value = entries.get(key)
      if (value === undefined) return undefined
      // A Map keeps insertion order, so inserting again makes the entry the newest.
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    set(key, value) {
      entries.delete(key)
      entries.set(key, value)
      if (entries.size <= capacity) return
      const oldest = entries.keys().next()
      if (!oldest.done) entries.delete(oldest.value)
    },
    delete(key) {
      entries.delete(key)
    },
  }
}
