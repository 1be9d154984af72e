import { beforeAll, describe, expect, test } from 'vitest'
import { proveHeader } from '../../../src/chain/encoding/header.ts'
import { createProofTools, type ProofTools } from '../../../src/chain/encoding/tools.ts'
import { headerHash } from '../../support/faults/encode.ts'
import { codeOf } from './support.ts'

const hash = (byte: string) => `0x${byte.repeat(32)}`

const LEGACY = {
  parentHash: hash('01'),
  sha3Uncles: hash('02'),
  miner: `0x${'03'.repeat(20)}`,
  stateRoot: hash('04'),
  transactionsRoot: hash('05'),
  receiptsRoot: hash('06'),
  logsBloom: `0x${'00'.repeat(256)}`,
  difficulty: '0x0',
  number: '0x7',
  gasLimit: '0x1c9c380',
  gasUsed: '0x0',
  timestamp: '0x64',
  extraData: '0x',
  mixHash: hash('08'),
  nonce: '0x0000000000000000',
}
/** Optional header fields in the order of the forks that added these fields. */
const LATER: Record<string, string> = {
  baseFeePerGas: '0x3b9aca00',
  withdrawalsRoot: hash('11'),
  blobGasUsed: '0x20000',
  excessBlobGas: '0x40000',
  parentBeaconBlockRoot: hash('12'),
  requestsHash: hash('13'),
  blockAccessListHash: hash('14'),
  slotNumber: '0x9',
}
const NAMES = Object.keys(LATER)
const isHash = (name: string) => LATER[name]?.length === 66

/** Makes a header of the fork that added this field, with the correct hash. */
const headerOf = (name: string) => {
  const given = NAMES.slice(0, NAMES.indexOf(name) + 1)
  const fields = { ...LEGACY, ...Object.fromEntries(given.map((one) => [one, LATER[one]])) }
  return { ...fields, hash: headerHash(fields) }
}

describe('a header', () => {
  let tools: ProofTools
  beforeAll(async () => {
    tools = await createProofTools()
  })

  test.each(NAMES)('of the fork that added %s is proven with the fields up to this one', (name) => {
    expect(proveHeader(headerOf(name), tools).hash).toBe(headerOf(name).hash)
  })

  const shifts = NAMES.flatMap((name) =>
    NAMES.filter((other) => other !== name && isHash(other) === isHash(name)).map(
      (other) => [name, other] as const,
    ),
  ).filter(([name, other]) => NAMES.indexOf(other) > NAMES.indexOf(name))
  test.each(shifts)(
    'that ends with %s is not proven if the value has the name %s',
    async (name, other) => {
      const { [name]: value, ...rest } = headerOf(name) as Record<string, string>
      expect(await codeOf(() => proveHeader({ ...rest, [other]: value }, tools))).toBe(
        'header_forged',
      )
    },
  )
})
