import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../../../../src/verifier/bytes.ts'
import {
  follow,
  NETWORKS,
  type Network,
  periodOf,
  readBootstrap,
  readFinalityUpdate,
  readUpdate,
  type Store,
  startAt,
  type Update,
  type Versioned,
} from '../../../../src/verifier/consensus/index.ts'
import { readSszUpdates } from '../../../support/beacon/read-ssz.ts'
import { isFull } from '../../../support/full.ts'
import { createRandom, type Random } from '../../../support/random.ts'

const FOLDER = join(import.meta.dirname, '../../../../../shared/fixtures/beacon')
const MAINNET = NETWORKS.get(1) as Network
const CHECKPOINT = '0x5afc212a7924789b2bc86acad3ab3a6ffb1f6e97253ea50bee7f4f51422c9275'
/** A slot after all recorded ones. */
const NOW = 12_000_000
const MUTATIONS = isFull ? 10_000 : 300

const json = (file: string) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))

const recorded = () =>
  readdirSync(FOLDER)
    .filter((name) => /_count_\d+\.ssz$/.test(name))
    .flatMap((name) => readSszUpdates(readFileSync(join(FOLDER, name))))

const begin = () => startAt(MAINNET, readBootstrap(json('bootstrap.json').data, 'It'), CHECKPOINT)

describe.skipIf(!existsSync(FOLDER))('updates that mainnet has signed', () => {
  test('follow one another from a checkpoint to a final block', () => {
    let store = begin()
    for (const { data } of json('updates.json') as Versioned<Update>[]) {
      store = follow(MAINNET, store, readUpdate(data, 'It'), NOW)
    }
    const { data } = json('finality.json')
    store = follow(MAINNET, store, readFinalityUpdate(data, 'It'), NOW)
    expect(store.period).toBe(867)
    expect(store.final).toMatchObject({
      number: 17_923_026,
      hash: '0xbc8499537876e5406c7a65e25f99063f1cd85a17014a3aa5ade38271b1fbf64f',
    })
  })

  test('are valid in Deneb and Electra, and on both sides of the fork between them', () => {
    const byPeriod = new Map(
      recorded().map(({ data }) => [
        periodOf(MAINNET, Number(data.attested_header.beacon.slot)),
        data,
      ]),
    )
    const finals = [...byPeriod].flatMap(([period, data]) => {
      const before = byPeriod.get(period - 1)
      if (!before) return []
      const store = storeOf(period, before.next_sync_committee)
      return [follow(MAINNET, store, readUpdate(data, 'It'), NOW).final]
    })
    expect(finals).toHaveLength(46)
    expect(finals).toContainEqual(
      expect.objectContaining({
        number: 22_432_991,
        hash: '0xd4c1a04e15667a6a012075daee220cf04a052a3491632572bfb0e5d90736b4cb',
      }),
    )
  })

  test(`are refused with a reason after each of ${MUTATIONS} random changes`, {
    timeout: 3_600_000,
  }, () => {
    const random = createRandom(20_261_128)
    const [first] = json('updates.json') as Versioned<Update>[]
    const reasons = new Set<string>()
    for (let round = 0; round < MUTATIONS; round++) {
      const changed = structuredClone(first?.data) as Update
      mutate(changed, random)
      const attempt = () => follow(MAINNET, begin(), readUpdate(changed, 'It'), NOW)
      expect(attempt).toThrow(Refusal)
      try {
        attempt()
      } catch (error) {
        reasons.add((error as Error).message.replaceAll(/\d+/g, 'n'))
      }
    }
    expect(reasons.size).toBeGreaterThan(4)
  })
})

const storeOf = (period: number, committee: Store['committee']): Store => ({
  ...{ period, committee, next: null, final: null, finalSlot: 0 },
})

/**
 * Changes one value of the update: a digit of hex, or a number. The slot of the signature is left
 * out, because it is not signed: another slot of the same period and fork is as valid.
 */
const mutate = (update: Update, random: Random): void => {
  let holder: Record<string, unknown> = update as never
  for (;;) {
    const names = Object.keys(holder).filter((name) => name !== 'signature_slot')
    const name = random.pick(names)
    const value = holder[name]
    if (typeof value === 'object' && value !== null) holder = value as Record<string, unknown>
    else {
      holder[name] = changed(String(value), random)
      return
    }
  }
}

const changed = (text: string, random: Random): string => {
  if (!text.startsWith('0x')) return String(Number(text) + random.int(1, 1_000))
  if (text === '0x') return '0x00'
  const at = random.int(2, text.length - 1)
  const digit = (Number.parseInt(text.charAt(at), 16) + random.int(1, 15)) % 16
  return `${text.slice(0, at)}${digit.toString(16)}${text.slice(at + 1)}`
}
