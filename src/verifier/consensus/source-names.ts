/** The committee as a source. `described`: only the answer of an archive describes the network. */
export const COMMITTEE = {
  known: 'the sync committee, from your checkpoint on',
  described: 'the sync committee, from your checkpoint on, in a network that the updates describe',
} as const
