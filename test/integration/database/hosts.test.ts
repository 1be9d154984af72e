import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { run as migrate } from '../../../src/commands/migrate.ts'
import { createDatabase } from '../../../src/db/client.ts'
import { createLog } from '../../../src/kernel/ports/log.ts'
import { createQueue } from '../../../src/queue/index.ts'
import { runCommand } from '../../support/command.ts'
import {
  type DebianPostgres,
  hasDebianPostgres,
  startDebianPostgres,
} from '../../support/debian-postgres.ts'
import { newFolder } from '../../support/new-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

const OWNER = 'bookkeeper'
/** A port at which no server listens. */
const NOBODY = '127.0.0.1:9'
const TIMEOUT_MS = 240_000

const start = async (options: Parameters<typeof startDebianPostgres>[0]) => {
  const server = await startDebianPostgres(options)
  onTestFinished(() => server.stop())
  return server
}

const createOwner = async (server: DebianPostgres): Promise<void> => {
  await server.administer(`create role ${OWNER} login createrole`)
  await server.administer(`create database books owner ${OWNER}`)
}

/** The port of the server to which a new pool connects. */
const portOf = async (url: string): Promise<number> => {
  const pool = createDatabase({ url, max: 1, asAppRole: false })
  try {
    const [row] = await pool<{ port: number }[]>`select inet_server_port() as port`
    return row?.port ?? 0
  } finally {
    await pool.end({ timeout: 1 })
  }
}

const openQueue = (databaseUrl: string, warnings: string[] = []) => {
  const log = {
    ...createLog('silent', 'test'),
    warn: (line: object) => warnings.push(JSON.stringify(line)),
  }
  const queue = createQueue({ databaseUrl, log: log as never, role: 'worker' })
  onTestFinished(() => queue.stop())
  return queue
}

test.skipIf(!hasDebianPostgres)(
  'each connection goes to the server that target_session_attrs names, and to the new primary after a failover',
  async () => {
    const primary = await start({})
    await createOwner(primary)
    const standby = await start({ primary })
    const [p, s] = [primary, standby].map(({ port }) => `127.0.0.1:${port}`)
    const urlOf = (hosts: string, attrs: string) =>
      `postgres://${OWNER}@${hosts}/books?target_session_attrs=${attrs}`
    const writable = urlOf(`${NOBODY},${s},${p}`, 'read-write')
    expect(await runCommand(migrate, [], { DATABASE_URL: writable })).toMatchObject({ code: 0 })
    for (const [hosts, attrs, expected] of [
      [`${NOBODY},${s},${p}`, 'any', standby],
      [`${NOBODY},${s},${p}`, 'read-write', primary],
      [`${s},${p}`, 'primary', primary],
      [`${p},${s}`, 'read-only', standby],
      [`${p},${s}`, 'standby', standby],
      [`${p},${s}`, 'prefer-standby', standby],
      [`${p},${NOBODY}`, 'prefer-standby', primary],
    ] as const) {
      expect([attrs, await portOf(urlOf(hosts, attrs))]).toEqual([attrs, expected.port])
    }
    await expect(portOf(urlOf(`${NOBODY},${s}`, 'primary'))).rejects.toMatchObject({
      code: 'CONNECTION_CLOSED',
      message: expect.stringMatching(
        /^no server can be used \(127.0.0.1:9: .*; .*is not primary\)$/,
      ),
    })

    const pool = createDatabase({ url: writable, max: 2 })
    onTestFinished(() => pool.end({ timeout: 1 }))
    const queue = openQueue(writable)
    let woken = 0
    queue.onWake('mail', () => woken++)
    await queue.start()
    const sender = createQueue({
      databaseUrl: writable,
      log: createLog('silent', 'test'),
      role: 'api',
    })
    onTestFinished(() => sender.stop())
    await sender.start()
    sender.wake('mail')
    await waitFor('a wake-up', () => woken, Boolean)
    await pool`update database_clock set environment = 'sandbox'`

    const { count } = (await pool`select count(*)::int as count from pg_stat_replication`)[0] as {
      count: number
    }
    expect(count).toBe(1)
    await primary.stop()
    expect(standby.run('pg_ctl', ['promote', `--pgdata=${standby.data}`])).toMatchObject({
      ok: true,
    })
    await waitFor(
      'a write on the new primary',
      () => pool`update database_clock set environment = 'sandbox'`.then(() => 'written', String),
      (said) => said === 'written',
    )
    woken = 0
    await waitFor(
      'a wake-up on the new primary',
      () => {
        sender.wake('mail')
        return woken
      },
      Boolean,
    )
  },
  TIMEOUT_MS,
)

/** A certificate authority, and a certificate of it for `localhost`. */
const makeCertificates = (folder: string) => {
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const key = ['-newkey', 'rsa:2048', '-nodes', '-days', '2']
  for (const name of ['ca', 'other']) {
    openssl(
      'req',
      '-x509',
      ...key,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.crt`,
      '-subj',
      `/CN=${name}`,
    )
  }
  openssl('req', ...key, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=localhost')
  writeFileSync(join(folder, 'names'), 'subjectAltName=DNS:localhost')
  const signing = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names']
  openssl('x509', '-req', '-in', 'server.csr', '-out', 'server.crt', '-days', '2', ...signing)
}

test.skipIf(!hasDebianPostgres)(
  'TLS is as sslmode and sslrootcert say, for the driver and the queue, and a refusal says why in one line',
  async () => {
    const folder = newFolder()
    makeCertificates(folder)
    const server = await start({
      settings: ['ssl=on'],
      prepare(data) {
        for (const name of ['server.key', 'server.crt']) {
          copyFileSync(join(folder, name), join(data, name))
          execFileSync('chown', [`--reference=${data}`, join(data, name)])
          chmodSync(join(data, name), 0o600)
        }
        const rules = readFileSync(join(data, 'pg_hba.conf'), 'utf8')
        writeFileSync(join(data, 'pg_hba.conf'), `hostnossl all ${OWNER} all reject\n${rules}`)
      },
    })
    await createOwner(server)
    const urlOf = (host: string, mode: string, ca?: string) =>
      `postgres://${OWNER}@${host}:${server.port}/books?sslmode=${mode}${ca ? `&sslrootcert=${join(folder, ca)}` : ''}`
    const full = urlOf('localhost', 'verify-full', 'ca.crt')
    expect(await runCommand(migrate, [], { DATABASE_URL: full })).toMatchObject({ code: 0 })
    for (const url of [
      full,
      urlOf('127.0.0.1', 'require'),
      urlOf('127.0.0.1', 'verify-ca', 'ca.crt'),
    ]) {
      expect(await portOf(url)).toBe(server.port)
      await openQueue(url).start()
    }
    for (const [url, reason] of [
      [urlOf('localhost', 'verify-full', 'other.crt'), /^TLS with localhost failed: .*certificate/],
      [urlOf('localhost', 'require', 'other.crt'), /^TLS with localhost failed: .*certificate/],
      [urlOf('127.0.0.1', 'verify-full', 'ca.crt'), /^TLS with 127.0.0.1 failed: .*does not match/],
      [urlOf('localhost', 'verify-full', 'away.crt'), /^TLS with localhost failed: .*no such file/],
      [urlOf('localhost', 'disable'), /no encryption/],
    ] as const) {
      await expect(portOf(url)).rejects.toThrow(reason)
      await expect(openQueue(url).start()).rejects.toThrow(
        /^The queue could not be started: [^\n]+\.$/,
      )
      const refused = await runCommand(migrate, [], { DATABASE_URL: url })
      expect(refused.errors).toMatch(/^The database could not be migrated: [^\n]+\n$/)
    }
  },
  TIMEOUT_MS,
)
