/** The most similar word of `others`, and its distance from `name` in letters. */
export const nearestTo = (name: string, others: readonly string[]): [string, number] =>
  others
    .map((other): [string, number] => [other, distance(name, other)])
    .reduce((best, word) => (word[1] < best[1] ? word : best), ['', Number.POSITIVE_INFINITY])

/** The number of letters to change, add or remove until the words are equal (Levenshtein). */
const distance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1]
    for (const [at, other] of [...to].entries()) {
      const replaced = (row[at] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
