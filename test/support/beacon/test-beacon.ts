import { fromHex, toHex } from '../../../src/verifier/bytes.ts'
import type { Network } from '../../../src/verifier/consensus/networks.ts'

/** A network in which each epoch has 8 slots and each period 2 epochs, and all forks are old. */
export const TEST_NETWORK: Network = {
  ...{ name: 'Test', genesisTime: 0, secondsPerSlot: 1, slotsPerEpoch: 8, epochsPerPeriod: 2 },
  genesisRoot: `0x${'17'.repeat(32)}`,
  forks: { electra: { epoch: 0, version: '0x05000000' } },
}
export const PERIOD_SLOTS = 16

/** Changes one byte of a hex text. */
export const changeByte = (hex: string, at: number): string => {
  const bytes = fromHex(hex)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  return toHex(bytes)
}

type Signed = { sync_aggregate?: { sync_committee_signature: string } }

/** Changes one byte of the signature in an answer, if the answer is signed. */
export const withChangedSignature = (body: unknown): unknown => {
  const message = body as { data?: Signed } | null
  const signed = message?.data?.sync_aggregate
  if (signed === undefined) return body
  const sync_committee_signature = changeByte(signed.sync_committee_signature, 50)
  const sync_aggregate = { ...signed, sync_committee_signature }
  return { ...message, data: { ...message?.data, sync_aggregate } }
}
