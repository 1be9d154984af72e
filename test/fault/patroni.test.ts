import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../src/db/client.ts'
import { migrate } from '../../src/db/migrate.ts'
import { migrateQueue } from '../../src/queue/index.ts'
import { signUp } from '../support/api-user.ts'
import { hasDebianPostgres } from '../support/debian-postgres.ts'
import { createFundraiser, expectWhole, startGiving } from '../support/donation-load.ts'
import { startHalf } from '../support/halves.ts'
import { hasPatroni, startCluster } from '../support/patroni.ts'
import { hasAnvil, startTestChain } from '../support/test-chain.ts'
import { waitFor } from '../support/wait-for.ts'

/** The test takes 80 s. A busy machine needs longer. */
const TIMEOUT_MS = 300_000
const OWNER = 'fundproof'

test.skipIf(!hasAnvil || !hasDebianPostgres || !hasPatroni)(
  'a cluster under Patroni loses and doubles nothing while its leader, a member or etcd is away',
  async () => {
    const chain = await startTestChain()
    const cluster = await startCluster()
    const { leader, urlOf, control } = cluster
    const open = (url: string, asAppRole = true) => {
      const pool = createDatabase({ url, max: 2, asAppRole })
      onTestFinished(() => pool.end({ timeout: 1 }))
      return pool
    }
    await cluster.whole()
    const admin = open(urlOf('postgres', 'postgres'), false)
    await admin.unsafe(`create role ${OWNER} login createrole password '${cluster.password}'`)
    await admin.unsafe(`create database books owner ${OWNER}`)
    const url = urlOf(OWNER, 'books')
    await migrate(url)
    await migrateQueue(url)
    const fundraiser = await createFundraiser(url)
    const places = { databaseUrl: url, rpcUrl: chain.url }
    const halves = [await startHalf('api', places), await startHalf('worker', places)] as const
    const [{ port }] = halves
    const { token } = await signUp(port, 'donor')
    const load = startGiving({
      ...fundraiser,
      campaignId: fundraiser.campaignIds[0] ?? '',
      chain,
      ports: [port],
      token,
    })
    await load.more(20)

    const memberOf = async (wanted: string) =>
      (await cluster.roles()).find(({ role }) => role === wanted)?.name ?? 'pg1'

    let old = await leader()
    await load.during('A switchover', async () => {
      await control(
        'switchover',
        '--leader',
        old,
        '--candidate',
        await memberOf('sync_standby'),
        '--force',
      )
      await leader(old)
    })
    await cluster.whole()

    old = await leader()
    await load.during('The leader was killed', async () => {
      cluster.kill(old)
      await leader(old)
    })
    await cluster.startMember(old)
    await cluster.whole()

    await load.during('A member was rebuilt', async () => {
      await control('reinit', 'fundproof', old, '--force', '--wait')
      await cluster.whole()
    })

    old = await leader()
    await load.during('etcd was away', () => cluster.restartEtcd(old))
    await cluster.whole()
    expect(await leader()).toBe(old)

    // The leader goes on without etcd only while it reaches all members.
    const third = await memberOf('replica')
    await load.during('The leader was cut off', async () => {
      cluster.signal(third, 'SIGSTOP')
      cluster.cutOff(old, true)
      await leader(old)
    })
    cluster.signal(third, 'SIGCONT')
    cluster.cutOff(old, false)
    await cluster.whole()

    await load.stop()
    await expectWhole(fundraiser, [load])
    const replica = open(urlOf(OWNER, 'books', 5001))
    const count = load.acknowledged.length
    await waitFor(
      'a replica to have all',
      () =>
        replica`select pg_is_in_recovery() as standby, count(*)::int as donations from donation`,
      (rows) => rows[0]?.standby === true && rows[0]?.donations === count,
    )
    expect(halves.filter((half) => half.hasEnded())).toEqual([])
    expect(halves[1].output()).not.toContain('the database was restored')
  },
  TIMEOUT_MS,
)
