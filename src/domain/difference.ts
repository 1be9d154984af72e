/** A stored value that contradicts the ledger. */
export type Difference = { what: string; id: string; stored: string; recomputed: string }
