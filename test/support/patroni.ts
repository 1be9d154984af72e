import { execFile } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { isAlive } from '../../src/local/processes.ts'
import { type Command, type Server, startServer } from '../../src/local/server.ts'
import { debianHost, killTree } from './debian-postgres.ts'
import { ROOT } from './program.ts'
import { startSwitch } from './tcp-switch.ts'
import { waitFor } from './wait-for.ts'

const PROGRAMS = {
  etcd: '/usr/bin/etcd',
  patroni: '/usr/bin/patroni',
  patronictl: '/usr/bin/patronictl',
  haproxy: '/usr/sbin/haproxy',
}
export const hasPatroni = Object.values(PROGRAMS).every(existsSync)
if (!hasPatroni)
  console.log('Skipped: no etcd, Patroni or HAProxy (apt install etcd-server patroni haproxy).')

const PASSWORD = 'only tests know this password'
const NAMES = ['pg1', 'pg2', 'pg3'] as const
type Name = (typeof NAMES)[number]
type Role = { name: Name; role: string; state: string; timeline?: number }

/** The times of `docs/ha/patroni.yml` are made shorter, so that a test has time for several faults. */
const SHORTER = { ttl: 8, loop_wait: 2, retry_timeout: 3 }

/**
 * Starts three members under Patroni with etcd, and HAProxy in front of them, with the files of
 * `docs/ha`. All servers have their usual ports, at addresses that only this test uses. A member
 * reaches etcd by a switch of its own, so that it can be cut off.
 */
export const startCluster = async () => {
  const host = debianHost()
  const network = `127.${1 + (process.pid % 250)}.${1 + Math.floor(Math.random() * 250)}`
  const addressOf = (name: Name) => `${network}.1${name.slice(2)}`
  const etcdAt = { host: `${network}.9`, port: 2379 }
  const running = new Map<string, Server>()
  const start = async (name: string, command: Command, ready: RegExp) => {
    running.set(name, await startServer(command, { name, ready }))
  }
  const path = (name: string) => join(host.folder, name)
  onTestFinished(async () => {
    // A killed Patroni leaves its Postgres behind.
    for (const name of NAMES) kill(name)
    await Promise.all([...running.values()].map((server) => server.stop({ atOnce: true })))
    rmSync(host.folder, { recursive: true, force: true })
  })

  const startEtcd = () => {
    const peer = `http://${etcdAt.host}:2380`
    const client = `http://${etcdAt.host}:${etcdAt.port}`
    const options = {
      ...{ name: 'etcd', 'data-dir': path('etcd'), 'unsafe-no-fsync': 'true' },
      ...{ 'listen-client-urls': client, 'advertise-client-urls': client },
      ...{ 'listen-peer-urls': peer, 'initial-advertise-peer-urls': peer },
      'initial-cluster': `etcd=${peer}`,
    }
    const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
    return start('etcd', host.command(PROGRAMS.etcd, args), /ready to serve client requests/)
  }
  /** Kills Patroni and PostgreSQL of a member, as a loss of its machine does. */
  const kill = (name: Name): void => {
    const file = path(`${name}/postmaster.pid`)
    const postmaster = existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : 0
    killTree(running.get(name)?.pid ?? 0)
    // The file may be older than another process with this id.
    const isOurs = () => readFileSync(`/proc/${postmaster}/cmdline`, 'utf8').includes(path(name))
    if (isAlive(postmaster) && isOurs()) killTree(postmaster)
  }
  const startMember = (name: Name) =>
    start(name, host.command(PROGRAMS.patroni, [path(`${name}.yml`)]), /no action|I am|Lock owner/)

  await startEtcd()
  const links = new Map<Name, Awaited<ReturnType<typeof startSwitch>>>()
  for (const name of NAMES) {
    links.set(name, await startSwitch(etcdAt, { host: addressOf(name), port: 2379 }))
    const values: Record<string, string> = {
      ...{ NAME: name, ADDRESS: addressOf(name), DATA: path(name) },
      // Without the second line, Patroni would ask etcd for its other addresses.
      ETCD: `${addressOf(name)}:2379\n  use_proxies: true`,
      ...{ SUPERUSER_PASSWORD: PASSWORD, REPLICATION_PASSWORD: PASSWORD },
    }
    const filled = readFileSync(join(ROOT, 'docs/ha/patroni.yml'), 'utf8')
      .replaceAll(/^#.*\n/gm, '')
      .replaceAll(/\$([A-Z_]+)/g, (_, variable: string) => values[variable] ?? '')
      .replaceAll(/\b(ttl|loop_wait|retry_timeout): \d+/g, (_, key: keyof typeof SHORTER) => {
        return `${key}: ${SHORTER[key]}`
      })
    writeFileSync(path(`${name}.yml`), filled, { mode: 0o644 })
  }
  await startMember('pg1')
  await Promise.all([startMember('pg2'), startMember('pg3')])

  const local = `${network}.1`
  const haproxy = host.command(PROGRAMS.haproxy, [
    '-V',
    '-db',
    '-f',
    join(ROOT, 'docs/ha/haproxy.cfg'),
  ])
  const places = {
    LOCAL: local,
    PG1: addressOf('pg1'),
    PG2: addressOf('pg2'),
    PG3: addressOf('pg3'),
  }
  haproxy.options = { ...haproxy.options, env: { ...haproxy.options?.env, ...places } }
  await start('HAProxy', haproxy, /Proxy replicas started|New worker|Using epoll/)

  /** Asks a member. Its Patroni may be stopped, so an answer may never come. */
  const ask = (name: Name, path: string) =>
    fetch(`http://${addressOf(name)}:8008/${path}`, { signal: AbortSignal.timeout(1_000) }).catch(
      () => null,
    )
  /** What a member says about the cluster. */
  const roles = async (asked: Name = 'pg1'): Promise<Role[]> => {
    const answer = await ask(asked, 'cluster')
    return ((await answer?.json()) as { members: Role[] } | undefined)?.members ?? []
  }
  /** Waits for a leader, other than `old`: a member that says of itself that it has the lock. */
  const leader = (old?: Name): Promise<Name> =>
    waitFor(
      'a member to lead',
      async () => {
        for (const name of NAMES.filter((one) => one !== old)) {
          if ((await ask(name, 'primary'))?.status === 200) return name
        }
        return undefined
      },
      (name) => name !== undefined,
      60_000,
    ) as Promise<Name>
  const urlOf = (user: string, database: string, port = 5000) =>
    `postgres://${user}:${encodeURIComponent(PASSWORD)}@${local}:${port}/${database}`
  return {
    addressOf,
    roles,
    leader,
    urlOf,
    password: PASSWORD,
    kill,
    startMember,
    /** Stops or resumes the Patroni of a member. PostgreSQL goes on. */
    signal: (name: Name, signal: 'SIGSTOP' | 'SIGCONT') => {
      process.kill(running.get(name)?.pid ?? 0, signal)
    },
    /** Cuts a member off from etcd, or connects it again. */
    cutOff: (name: Name, isCut: boolean) => links.get(name)?.point(isCut ? undefined : etcdAt),
    /** Kills etcd, and starts it again when the lock of the leader has long ended. */
    restartEtcd: async (leader: Name) => {
      killTree(running.get('etcd')?.pid ?? 0)
      const age = async () => {
        const answer = await ask(leader, 'patroni')
        const { dcs_last_seen: at } = ((await answer?.json()) ?? {}) as { dcs_last_seen?: number }
        return Date.now() / 1_000 - (at ?? Number.POSITIVE_INFINITY)
      }
      await waitFor('the lock to end', age, (seconds) => seconds > SHORTER.ttl + 2)
      await startEtcd()
    },
    /** Runs a command of patronictl, as an operator does. The switches go on meanwhile. */
    control: (...args: string[]) => {
      const { file, ...rest } = host.command(PROGRAMS.patronictl, ['-c', path('pg1.yml'), ...args])
      return promisify(execFile)(file, rest.args, rest.options)
    },
    /** Waits until one member leads, the others follow it, and one of them is synchronous. */
    whole: () =>
      waitFor(
        'the cluster to be whole',
        async () => (await Promise.all(NAMES.map((name) => roles(name)))).flat(),
        (all) =>
          all.length === 9 &&
          all.every(({ state, role }) => /running|streaming/.test(state) && role !== '') &&
          all.filter(({ role }) => role === 'leader').length === 3 &&
          all.filter(({ role }) => role === 'sync_standby').length === 3,
        60_000,
      ),
  }
}
