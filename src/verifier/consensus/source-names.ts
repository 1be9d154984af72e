/** The committee as a source. Of a network that only the answer of an archive describes: `told`. */
export const COMMITTEE = {
  known: 'the sync committee, from your checkpoint on',
  told: 'the sync committee, from your checkpoint on, in a network that the updates describe',
} as const
