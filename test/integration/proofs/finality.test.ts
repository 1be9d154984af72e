import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import {
  type Archive,
  hashFromCheckpoint,
  readArchive,
} from '../../../src/verifier/consensus/index.ts'
import { type DonationProof, verifyProof } from '../../../src/verifier/index.ts'
import { syncChain } from '../../../worker/chain/sync-chain.ts'
import { createTestBeacon, TEST_BEACON_NETWORK } from '../../support/beacon/serve-beacon.ts'
import { changeByte, PERIOD_SLOTS, TEST_NETWORK } from '../../support/beacon/test-beacon.ts'
import { createChainSync, servedBy } from '../../support/chain-sync.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { newFolder } from '../../support/new-folder.ts'
import { recordGift } from '../../support/recorded-gift.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { createTestCampaign } from '../../support/world.ts'
import { createTestApi } from '../http/support/api.ts'
import { ACCOUNT, failuresOf, proofParts } from './support/proof-world.ts'

const PROGRAM = join(import.meta.dirname, '../../../src/commands/verify-proof.ts')

/** A credited and sealed donation on a chain whose committee has signed a block `above` its own. */
const setUp = async (above = 3) => {
  const chain = await startTestChain()
  const periodMs = PERIOD_SLOTS * 1_000
  // Long ago, so that the program, which has the clock of the machine, sees no slot of the future.
  const clock = createFakeClock(new Date((Math.floor(Date.now() / periodMs) - 5) * periodMs))
  const beacon = await createTestBeacon(chain, clock)
  const feed = await beacon.serve()
  const facts = { ...{ id: 31337, name: 'Test', rpc: [], explorer: null, testnet: true } }
  const api = await createTestApi({
    clock,
    settings: {
      chains: [{ ...facts, pollIntervalMs: 1_000, stalledAfterMs: null, committee: TEST_NETWORK }],
    },
  })
  const [creator, donor] = [await api.signIn(), await api.signIn()]
  const campaignId = await createTestCampaign(api.ctx, {
    ...{ creator, account: ACCOUNT, target: '1000000' },
  })
  const sync = createChainSync(api.ctx, {
    ...servedBy(chain.url),
    ...{ beacon: [feed.url], checkpoint: beacon.checkpoint, beaconNetwork: TEST_BEACON_NETWORK },
  })
  const pass = async (seconds: number) => {
    clock.advance(seconds * 1_000)
    await sync.committee?.follow()
    await syncChain(sync, new AbortController().signal)
  }
  await pass(PERIOD_SLOTS + 8)
  await beacon.finalize(await chain.mine())
  await pass(1)
  const signed = await chain.send(await chain.signToken(1, ACCOUNT, 5_000_000n))
  const as = api.as({ kind: 'user', userId: donor.userId, roles: [] })
  const id = await recordGift(as, campaignId, signed, '5', 'USDC')
  const number = await chain.mine()
  await chain.mine(above + 3)
  await beacon.finalize(number + above)
  await pass(1)
  await pass(1)
  const { seal, prove, proofOf } = proofParts(api, sync, chain)
  await seal()
  await prove()
  const proof = await proofOf(id)
  const path = `/api/finality/31337/updates?from=${beacon.checkpoint}`
  const archive = (await api.ask('GET', path)).body as unknown as Archive
  const { keys } = (await api.ask('GET', '/.well-known/jwks.json')).body as {
    keys: { x: string }[]
  }
  return { api, beacon, proof, archive, keys, number, now: clock.now().getTime() / 1_000 }
}
type SetUp = Awaited<ReturnType<typeof setUp>>

const hashBy = ({ proof, archive, beacon, now, number }: SetUp, checkpoint = beacon.checkpoint) => {
  const { chainId, finality } = proof
  if (finality === undefined) throw new Error('The proof is without finality.')
  return hashFromCheckpoint({ chainId, number, finality }, checkpoint, archive, now).hash
}

/** Runs `npm run verify-proof` offline, on kept files. Returns its exit code and output. */
const verifyKept = async ({ proof, archive, keys, beacon }: SetUp) => {
  const folder = newFolder()
  const save = (name: string, value: unknown) =>
    writeFileSync(join(folder, name), JSON.stringify(value))
  save('proof.json', proof)
  save('updates.json', archive)
  save('jwks.json', { keys })
  const words = ['proof.json', '--jwks', 'jwks.json', '--updates', 'updates.json']
  const run = promisify(execFile)(
    process.execPath,
    [PROGRAM, ...words, '--checkpoint', beacon.checkpoint],
    { cwd: folder, env: { PATH: process.env.PATH } },
  )
  return run.then(
    ({ stdout }) => ({ code: 0, out: stdout }),
    (error: { code: number; stdout: string }) => ({ code: error.code, out: error.stdout }),
  )
}

const lastOf = (text: string) => changeByte(text, (text.length - 2) / 2 - 1)

describe.skipIf(!hasAnvil)('a proof with finality', () => {
  test.each([0, 3, 20])(
    'leads from a checkpoint to a donation %i blocks below the final one',
    async (above) => {
      const made = await setUp(above)
      const { proof, archive, keys } = made
      expect(proof.version).toBe(2)
      expect(readArchive(archive, 'The archive').updates.length).toBeGreaterThan(0)
      expect(hashBy(made)).toBe(proof.block.hash)
      const verdict = await verifyProof(proof, {
        headers: async () => [{ source: 'the committee', hash: hashBy(made) }],
        keys,
      })
      expect(failuresOf(verdict)).toEqual([])
      expect(verdict.ok).toBe(true)
    },
  )

  test('is checked by the program from kept files, while every node and the service are away', async () => {
    const made = await setUp()
    const { code, out } = await verifyKept(made)
    expect(out).toContain('according to the sync committee, from your checkpoint on')
    expect([code, out]).toEqual([0, expect.stringContaining('The donation is proven')])
    const { finality } = made.proof
    const update = {
      ...finality?.update,
      sync_aggregate: {
        ...finality?.update.sync_aggregate,
        sync_committee_signature: `0x${'00'.repeat(96)}`,
      },
    }
    const altered = { ...made.proof, finality: { ...finality, update } } as DonationProof
    const refused = await verifyKept({ ...made, proof: altered })
    expect([refused.code, refused.out]).toEqual([
      2,
      expect.stringContaining('The signature of the committee is invalid'),
    ])
  })

  test('needs only its own final block as a checkpoint', async () => {
    const made = await setUp()
    const [row] = await made.api.ctx.sql<{ root: string }[]>`
      select root from committee_message where block_number = ${made.number + 3}`
    expect(hashBy({ ...made, archive: { ...made.archive, updates: [] } }, row?.root)).toBe(
      made.proof.block.hash,
    )
  })

  test('leads from the first final block of a later period too', async () => {
    const made = await setUp()
    const [row] = await made.api.ctx.sql<{ root: string; slot: number }[]>`
      select root, slot from committee_message
      where kind = 'bootstrap' and block_number <= ${made.number} order by slot desc limit 1`
    const root = String(row?.root)
    expect(root).not.toBe(made.beacon.checkpoint)
    expect(made.proof.finality?.beginSlot).toBe(row?.slot)
    const { body } = await made.api.ask('GET', `/api/finality/31337/updates?from=${root}`)
    const archive = body as unknown as Archive
    expect(archive.updates.length).toBeLessThan(made.archive.updates.length)
    expect(hashBy({ ...made, archive }, root)).toBe(made.proof.block.hash)
  })

  test('is refused with the reason if anything of it is changed', async () => {
    const made = await setUp()
    const { proof, archive } = made
    const finality = proof.finality as NonNullable<DonationProof['finality']>
    const changed = (change: Partial<typeof finality>) => () =>
      hashBy({ ...made, proof: { ...proof, finality: { ...finality, ...change } } })
    const { headers, update } = finality
    expect(headers.length).toBeGreaterThan(0)
    expect(() => hashBy(made, `0x${'ab'.repeat(32)}`)).toThrow('this is another checkpoint')
    expect(changed({ headers: headers.slice(1) })).toThrow('is not the one of block')
    expect(changed({ headers: headers.slice(0, -1) })).toThrow('The way ends at block')
    expect(changed({ headers: [lastOf(headers[0] ?? ''), ...headers.slice(1)] })).toThrow(
      'is not the one of block',
    )
    expect(changed({ update: { ...update, finality_branch: [] } })).toThrow('does not belong')
    expect(() => hashBy({ ...made, archive: { ...archive, updates: [] } })).toThrow(
      'The updates end before this donation',
    )
    expect(() => hashBy({ ...made, archive: { ...archive, chainId: 1 } })).toThrow(
      'The sync committee of chain 31337 is not known',
    )
    const { status, body } = await made.api.ask(
      'GET',
      `/api/finality/31337/updates?from=0x${'ab'.repeat(32)}`,
    )
    expect([status, body.code]).toEqual([404, 'not_found'])
  })
})
