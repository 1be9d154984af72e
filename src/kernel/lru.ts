/** A map of at most `capacity` entries. A full map drops its least recently used entry. */
export const createLru = <V>(capacity: number) => {
  const entries = new Map<string, V>()
  return {
    get(key: string): V | undefined {
      const value = entries.get(key)
      if (value === undefined) return undefined
      // A Map keeps insertion order, so inserting again makes the entry the newest.
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    set(key: string, value: V): void {
      entries.delete(key)
      entries.set(key, value)
      if (entries.size <= capacity) return
      const oldest = entries.keys().next()
      if (!oldest.done) entries.delete(oldest.value)
    },
    delete(key: string): void {
      entries.delete(key)
    },
  }
}
