import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createCommitteeSource } from '../../../src/commands/committee-source.ts'
import { findAncestor } from '../../../src/commands/find-ancestor.ts'
import { openNode } from '../../../src/commands/one-node.ts'
import { changeByte } from '../../support/beacon/test-beacon.ts'
import { isFull } from '../../support/full.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'

const FOLDER = join(import.meta.dirname, '../../../../shared/fixtures/beacon')
const CHECKPOINT = '0x5afc212a7924789b2bc86acad3ab3a6ffb1f6e97253ea50bee7f4f51422c9275'
/** The block that the recorded finality update makes final, on mainnet. */
const FINAL = { chainId: 1, number: 17_923_026 }
const HASH = '0xbc8499537876e5406c7a65e25f99063f1cd85a17014a3aa5ade38271b1fbf64f'

type Answers = Record<'bootstrap' | 'updates' | 'finality', unknown>

/** A beacon node that serves recorded answers, or what `change` makes of them. */
const startBeacon = async (change: (answers: Answers) => void = () => {}): Promise<string> => {
  const read = (name: string) => JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8'))
  const answers = {
    bootstrap: read('bootstrap'),
    updates: read('updates'),
    finality: read('finality'),
  }
  change(answers)
  const server = createServer(({ url = '' }, response) => {
    const name = (['bootstrap', 'updates', 'finality'] as const).find((one) => url.includes(one))
    // The recorded updates are of the periods from 862 to 867.
    const isOver = url.includes('start_period=868')
    // A client that verifies for seconds would find a kept connection closed.
    response.setHeader('connection', 'close')
    response.end(JSON.stringify(name === undefined || isOver ? [] : answers[name]))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const ask = (beacon: string, block = FINAL) =>
  createCommitteeSource({ checkpoint: CHECKPOINT, beacon, rpc: 'http://127.0.0.1:9' })(block)

describe.skipIf(!existsSync(FOLDER))('from a checkpoint on, the committee of the chain', () => {
  test('names the hash of a final block, without a word of a node', async () => {
    expect(await ask(await startBeacon())).toEqual({
      source: 'the sync committee, from your checkpoint on',
      hash: HASH,
    })
  })

  test('says nothing of a block that it has not made final', async () => {
    const later = { ...FINAL, number: FINAL.number + 1 }
    await expect(ask(await startBeacon(), later)).rejects.toThrow('is not final yet')
  })

  test('is not believed if a beacon node changes what it has signed', async () => {
    const beacon = await startBeacon(({ finality }) => {
      const { sync_aggregate: signed } = (
        finality as { data: { sync_aggregate: { sync_committee_signature: string } } }
      ).data
      signed.sync_committee_signature = changeByte(signed.sync_committee_signature, 50)
    })
    await expect(ask(beacon)).rejects.toThrow('signature of the committee is invalid')
  })

  test('is left before a beacon node fills the memory', async () => {
    const beacon = await startBeacon((answers) => {
      answers.bootstrap = { ...(answers.bootstrap as object), more: 'a'.repeat(200_000) }
    })
    await expect(ask(beacon)).rejects.toThrow('sent too many bytes')
  })

  test('proves nothing with a fork that this version does not know', async () => {
    const beacon = await startBeacon((answers) => {
      answers.finality = { ...(answers.finality as object), version: 'gloas' }
    })
    await expect(ask(beacon)).rejects.toThrow('does not know the fork gloas')
  })

  test('is believed only for its own network, also for the block of the checkpoint', async () => {
    const beacon = await startBeacon()
    expect((await ask(beacon, { ...FINAL, number: 17_883_333 })).hash).toBe(
      '0xd131b92cb98455882c2c7b4ebf55dc6d02cc47e0e55a4d9570dea498affd6e74',
    )
    await expect(ask(beacon, { chainId: 100, number: 17_883_333 })).rejects.toThrow()
  })

  test('is not known for a chain that has none', async () => {
    await expect(ask(await startBeacon(), { chainId: 8_453, number: 1 })).rejects.toThrow(
      'The sync committee of chain 8453 is not known',
    )
  })
})

describe.skipIf(!hasAnvil)('the hash of an ancestor', () => {
  const setUp = async (blocks = 200) => {
    const chain = await startTestChain()
    await chain.call('anvil_mine', [`0x${blocks.toString(16)}`])
    const number = await chain.mine()
    const block = await chain.call<{ hash: string; stateRoot: string }>('eth_getBlockByNumber', [
      `0x${number.toString(16)}`,
      false,
    ])
    const hashOf = async (at: number) =>
      (await chain.call<{ hash: string }>('eth_getBlockByNumber', [`0x${at.toString(16)}`, false]))
        .hash
    return { node: openNode(chain.url), from: { ...block, number }, hashOf }
  }

  // The development chain needs minutes for thousands of blocks.
  test.each(isFull ? [10, 150, 8_250] : [10, 150])(
    'follows from the final block, %i blocks below it',
    { timeout: 900_000 },
    async (distance) => {
      const { node, from, hashOf } = await setUp(distance + 20)
      const number = from.number - distance
      expect(await findAncestor(node, from, number)).toBe(await hashOf(number))
    },
  )

  test('is refused if the node changes a header on the way', async () => {
    const { node, from } = await setUp()
    const call: typeof node.call = async (method, params) => {
      const answer = (await node.call(method, params)) as { number: string; parentHash: string }
      const isOnTheWay = Number(answer.number) === from.number - 5
      return isOnTheWay ? { ...answer, parentHash: from.hash } : answer
    }
    const asked = findAncestor({ ...node, call }, from, from.number - 10)
    await expect(asked).rejects.toThrow('does not hash to its hash')
  })

  test('is refused if the node proves another state', async () => {
    const { node, from } = await setUp()
    const forged = { ...from, stateRoot: changeByte(from.stateRoot, 0) }
    await expect(findAncestor(node, forged, from.number - 150)).rejects.toThrow('does not match')
  })
})
