/**
 * The committee as a source, or the checkpoint if it is the final block of the proof itself.
 * `described`: only the answer of an archive describes the network.
 */
export const COMMITTEE = {
  checkpoint: 'your checkpoint',
  known: 'the sync committee, from your checkpoint on',
  described: 'the sync committee, from your checkpoint on, in a network that the updates describe',
} as const
