import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createBeaconFeed, followFeed } from '../../../src/chain/index.ts'
import {
  type Archive,
  type FinalityUpdate,
  finalBlockOf,
  hashFromCheckpoint,
  NETWORKS,
  type Store,
} from '../../../src/verifier/consensus/index.ts'
import { changeByte } from '../../support/beacon/test-beacon.ts'

const FOLDER = join(import.meta.dirname, '../../../../shared/fixtures/beacon')
const CHECKPOINT = '0x5afc212a7924789b2bc86acad3ab3a6ffb1f6e97253ea50bee7f4f51422c9275'
/** The block that the recorded finality update makes final, on mainnet. */
const NUMBER = 17_923_026
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

/** Follows a beacon node from the checkpoint on. Returns the newest final block. */
const ask = async (url: string, chainId = 1) => {
  const network = NETWORKS.get(chainId)
  if (!network) throw new Error('The network is known.')
  const feed = createBeaconFeed(url)
  onTestFinished(() => feed.close())
  let newest: Store | null = null
  const start = { store: null, checkpoint: CHECKPOINT, now: () => new Date() }
  for await (const { store } of followFeed(network, feed, start)) newest = store
  return newest?.final ?? null
}

describe.skipIf(!existsSync(FOLDER))('from a checkpoint on, the committee of the chain', () => {
  test('names the hash of the newest final block', async () => {
    expect(await ask(await startBeacon())).toMatchObject({ number: NUMBER, hash: HASH })
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

  test('proves the final block of a proof, if its root is the checkpoint, only for its own chain', () => {
    const file = readFileSync(join(FOLDER, 'finality.json'), 'utf8')
    const { data: update } = JSON.parse(file.toLowerCase()) as { data: FinalityUpdate }
    const [mainnet] = NETWORKS.values()
    if (!mainnet) throw new Error('Mainnet is known.')
    const { root = '' } = finalBlockOf(mainnet, update) ?? {}
    const finality = { beginSlot: 0, update, headers: [], history: null }
    const ask = (chainId: number, archive: Archive | null = null) =>
      hashFromCheckpoint({ chainId, number: NUMBER, finality }, root, archive, Date.now() / 1_000)
    expect(ask(1).hash).toBe(HASH)
    expect(() => ask(100)).toThrow()
    const described = { chainId: 42_161, network: mainnet, updates: [] }
    expect(() => ask(42_161, described as unknown as Archive)).toThrow(
      'describe the network of another chain',
    )
  })

  test('is not asked again and again if a beacon node repeats the update of a period', async () => {
    const beacon = await startBeacon((answers) => {
      answers.updates = (answers.updates as unknown[]).slice(0, 1)
    })
    await expect(ask(beacon)).rejects.toThrow('sent the update of another period')
  })

  test('is believed only for its own network', async () => {
    await expect(ask(await startBeacon(), 100)).rejects.toThrow()
  })
})
