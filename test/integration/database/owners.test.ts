import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { expect, inject, onTestFinished, test } from 'vitest'
import { APPEND_ONLY, appRoleOf } from '../../../src/db/app-role.ts'
import { createDatabase } from '../../../src/db/client.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { migrateQueue } from '../../../src/queue/index.ts'
import { withDatabase } from '../../support/database.ts'
import { createContext, createUser, createWorld } from '../../support/world.ts'

/**
 * Creates an empty database in the cluster of this run. Returns its URL with an owner who is no
 * superuser.
 */
const createOwned = async (rights = 'createrole', made = ''): Promise<string> => {
  const name = `test_${randomBytes(8).toString('hex')}`
  const server = inject('postgresUrl')
  const admin = postgres(server, { max: 1, onnotice: () => {} })
  await admin.unsafe(`create role ${name} login password 'secret' ${rights}`)
  await admin.unsafe(`create database ${name} owner ${name} ${made}`)
  const url = new URL(withDatabase(server, name))
  url.username = name
  url.password = 'secret'
  onTestFinished(async () => {
    await admin.unsafe(`drop database ${name} with (force)`)
    await admin.unsafe(`drop role if exists ${appRoleOf(url.href)}`)
    await admin.unsafe(`drop role ${name}`)
    await admin.end({ timeout: 1 })
  })
  return url.href
}

const open = (url: string, asAppRole = true) => {
  const pool = createDatabase({ url, max: 1, asAppRole })
  onTestFinished(() => pool.end({ timeout: 1 }))
  return pool
}

test('keeps the databases of two owners in one cluster, each closed to the other', async () => {
  const urls = [await createOwned(), await createOwned()] as const
  for (const url of urls) {
    await migrate(url)
    await migrateQueue(url)
  }
  for (const url of urls) {
    const { ctx } = await createContext(open(url))
    await createUser(ctx)
    await expect(ctx.sql`delete from ledger_entry`).rejects.toMatchObject({ code: '42501' })
  }
  const foreign = new URL(urls[0])
  foreign.pathname = new URL(urls[1]).pathname
  for (const asAppRole of [true, false]) {
    const stranger = open(foreign.href, asAppRole)
    await expect(stranger`select from app_user`).rejects.toMatchObject({ code: '42501' })
  }
})

test('refuses a database in another encoding than UTF8, and says how to create one', async () => {
  const url = await createOwned(
    'createrole',
    "template template0 encoding 'SQL_ASCII' locale_provider libc locale 'C'",
  )
  await expect(migrate(url)).rejects.toThrow(
    "The database has the encoding SQL_ASCII. Create it with `TEMPLATE template0 ENCODING 'UTF8'`.",
  )
})

test('says that the user must be the owner of the database', async () => {
  const url = new URL(await createOwned())
  url.pathname = new URL(await createOwned()).pathname
  await expect(migrate(url.href)).rejects.toThrow(
    /permission denied for database .*\. DATABASE_URL must name the owner of the database\.$/,
  )
})

test('says what a superuser has to run for an owner who may not create roles', async () => {
  const url = await createOwned('')
  const failure = await migrate(url).catch((error: Error) => error.message)
  const statements = [...String(failure).matchAll(/`([^`]+)`/g)].map(([, statement]) => statement)
  expect(statements).toHaveLength(2)
  const admin = postgres(inject('postgresUrl'), { max: 1 })
  for (const statement of statements) await admin.unsafe(statement ?? '')
  await admin.end({ timeout: 1 })
  await migrate(url)
  await createUser((await createContext(open(url))).ctx)
})

test('revokes changes of exactly those tables whose triggers refuse them', async () => {
  const { ctx } = await createWorld()
  const tables = await ctx.sql<{ name: string }[]>`
    select distinct tgrelid::regclass::text as name from pg_trigger
    where tgfoid = 'ledger_is_append_only'::regproc order by name`
  expect(tables.map(({ name }) => name)).toEqual(APPEND_ONLY)
})
