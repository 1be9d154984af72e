import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../../src/db/client.ts'
import { withChainLease } from '../../../src/domain/blocks/index.ts'
import { waitFor } from '../../support/wait-for.ts'
import { createWorld } from '../../support/world.ts'

test('a comparison whose connection breaks ends, and the next one begins', async () => {
  const { ctx, url } = await createWorld()
  const owner = createDatabase({ url, max: 1, asAppRole: false })
  const holders = () => owner<{ pid: number }[]>`
    select pid from pg_locks where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())`
  const held = await withChainLease(ctx, 1, async () => {
    expect(await withChainLease(ctx, 1, async () => 'second')).toBeNull()
    expect(await withChainLease(ctx, 2, async () => 'of another chain')).not.toBeNull()
    for (const { pid } of await holders()) await owner`select pg_terminate_backend(${pid})`
    await waitFor('the lock to be gone', holders, (rows) => rows.length === 0)
    return 'first'
  })
  expect(held).toEqual({ result: 'first' })
  expect(await withChainLease(ctx, 1, async () => 'next')).toEqual({ result: 'next' })
  await owner.end({ timeout: 1 })
}, 10_000)

test('the lock is free when a comparison ends, though its connection is closed late', async () => {
  const { ctx, url } = await createWorld()
  const pool = createDatabase({ url: await neverCloses(url) })
  onTestFinished(() => pool.end({ timeout: 1 }))
  const slow = { ...ctx, pool }
  expect(await withChainLease(slow, 1, async () => 'first')).toEqual({ result: 'first' })
  expect(await withChainLease(ctx, 1, async () => 'second')).toEqual({ result: 'second' })
})

/** Starts a proxy that passes on everything except the end of a connection. Returns its URL. */
const neverCloses = async (url: string): Promise<string> => {
  const { hostname, port } = new URL(url)
  const open = new Set<Socket>()
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname)
    open.add(server)
    server.pipe(client)
    server.on('error', () => client.destroy())
    client.on('error', () => {})
    client.on('data', (bytes) => {
      if (!bytes.equals(TERMINATE)) server.write(bytes)
    })
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    for (const server of open) server.destroy()
    proxy.close()
  })
  const address = new URL(url)
  address.port = String((proxy.address() as AddressInfo).port)
  return address.href
}

/** The last message of a PostgreSQL client: Terminate. */
const TERMINATE = Buffer.from([0x58, 0, 0, 0, 4])
