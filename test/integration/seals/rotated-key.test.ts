import { expect, test } from 'vitest'
import { run as admin } from '../../../src/commands/admin.ts'
import { checkSeals, listSealKeys } from '../../../src/domain/books/index.ts'
import { runCommand } from '../../support/command.ts'
import { halfEnvironment, startHalf } from '../../support/halves.ts'
import { check, fileWith } from './support/check-command.ts'
import { createSealWorld } from './support/seal-world.ts'
import { keepHead } from './support/three-seals.ts'

/** The URL of a port on which no program listens. */
const NO_NODE = 'http://127.0.0.1:9'

test('a new key signs the next head at once, and the last head of the old key is published', async () => {
  const world = await createSealWorld()
  const options = { databaseUrl: world.url, rpcUrl: NO_NODE }
  await world.donate(['a'])
  await world.seal()
  const last = await keepHead(world)
  const rotated = await runCommand(admin, ['rotate-seal-key'], halfEnvironment(options))
  const [key, old] = await listSealKeys(world.ctx)
  expect(rotated).toMatchObject({
    code: 0,
    errors: '',
    out: expect.stringContaining(`${key?.kid}`),
  })
  expect(last.keyId).toBe(old?.kid)

  await world.donate(['b'])
  await world.seal()
  expect(await keepHead(world)).toMatchObject({ seq: 2, keyId: key?.kid })
  const [next] = await world.ctx.sql`select previous_global_head from ledger_seal where seq = 2`
  expect(next?.previousGlobalHead).toBe(last.globalHead)
  expect((await checkSeals(world.ctx.pool, [last])).differences).toEqual([])
  const since = await check(world.url, '--since', fileWith(JSON.stringify(last)))
  expect(since).toMatchObject({ code: 0 })

  const api = await startHalf('api', options)
  const jwks = await fetch(`http://127.0.0.1:${api.port}/.well-known/jwks.json`)
  const { campaignId, seq, head, globalHead, keyId, sealedAt } = last
  const published = ((await jwks.json()) as { keys: unknown[] }).keys
  expect(published).toContainEqual({ ...key, use: 'sig', alg: 'EdDSA' })
  expect(published).toContainEqual({
    ...{ ...old, use: 'sig', alg: 'EdDSA' },
    lastHead: { campaignId, seq, head, globalHead, keyId, sealedAt },
  })
})

test('each replaced key names its own last head, and a key that signed nothing names none', async () => {
  const world = await createSealWorld()
  const options = { databaseUrl: world.url, rpcUrl: NO_NODE }
  const rotate = () => runCommand(admin, ['rotate-seal-key'], halfEnvironment(options))
  for (const name of ['a', 'b']) {
    await world.donate([name])
    await world.seal()
    await rotate()
  }
  await rotate()
  const api = await startHalf('api', options)
  const jwks = await fetch(`http://127.0.0.1:${api.port}/.well-known/jwks.json`)
  const { keys } = (await jwks.json()) as { keys: { kid: string; lastHead?: { seq: number } }[] }
  const kids = (await listSealKeys(world.ctx)).map(({ kid }) => kid)
  const named = kids.map((kid) => keys.find((key) => key.kid === kid)?.lastHead?.seq)
  expect(named).toEqual([undefined, undefined, 2, 1])
})
