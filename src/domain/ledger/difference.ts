/** One thing that does not add up. */
export type Difference = { what: string; id: string; stored: string; recomputed: string }
