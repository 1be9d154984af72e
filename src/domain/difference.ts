/** A stored value that differs from the value that a check recomputed, mostly from the ledger. */
export type Difference = { what: string; id: string; stored: string; recomputed: string }
