import { describe, expect, test } from 'vitest'
import { proveHeader } from '../../../src/chain/encoding/header.ts'
import { toHex } from '../../../src/chain/encoding/keccak.ts'
import { recoverSender } from '../../../src/chain/encoding/sender.ts'
import { createProofTools } from '../../../src/chain/encoding/tools.ts'
import { writeTransaction } from '../../../src/chain/encoding/transaction.ts'
import { readHeader } from '../../../src/verifier/header.ts'
import { hasOtherFixtures, otherFixture } from '../../support/rpc-server.ts'
import { codeOf } from './support.ts'

const POLYGON = 'polygon-35678770-header'
const AMSTERDAM = 'amsterdam-header-1'

const withAnotherDigit = (text: string): string =>
  text === '0x' ? '0x00' : text.slice(0, -1) + (text.endsWith('1') ? '2' : '1')

if (!hasOtherFixtures) console.log('Skipped: the recorded answers of other chains are not here.')

describe.skipIf(!hasOtherFixtures)('recorded answers of other chains', () => {
  test.each([POLYGON, AMSTERDAM])(
    'the header %s is proven, and its encoding is what donors check',
    async (name) => {
      const tools = await createProofTools()
      const raw = otherFixture(name)
      const { hash, parentHash, number, timestamp, ...roots } = proveHeader(raw, tools)
      expect(hash).toBe(raw.hash)
      const { stateRoot, receiptsRoot, transactionsRoot } = roots
      expect(readHeader(toHex(tools.writer.view(0)))).toEqual({
        ...{ hash, parentHash, number, timestamp, stateRoot, receiptsRoot, transactionsRoot },
      })
    },
  )

  test.each([POLYGON, AMSTERDAM])(
    'the header %s is disbelieved with another value in any other field',
    async (name) => {
      const tools = await createProofTools()
      const raw = otherFixture(name)
      const free = ['size', 'totalDifficulty', 'uncles', ...(name === POLYGON ? ['miner'] : [])]
      for (const [field, value] of Object.entries(raw)) {
        if (free.includes(field)) continue
        const altered = { ...raw, [field]: withAnotherDigit(String(value)) }
        const code = await codeOf(() => proveHeader(altered, tools))
        expect([field, code]).toEqual([field, 'header_forged'])
      }
    },
  )

  test.each(['transaction-without-access-list-2', 'transaction-without-access-list-3'])(
    'a %s has the hash and the sender of one with an empty list',
    async (name) => {
      const { writer, keccak } = await createProofTools()
      const raw = otherFixture(name)
      writer.rewind(0)
      writeTransaction(writer, raw)
      expect(toHex(keccak(writer.view(0)))).toBe(raw.hash)
      expect(recoverSender({ hash: raw.hash, to: null, value: 0n, raw })).toBe(raw.from)
    },
  )
})
