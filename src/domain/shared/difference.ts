/** A stored value that differs from the value that a check has recomputed. */
export type Difference = { what: string; id: string; stored: string; recomputed: string }
