import { describe, expect, test } from 'vitest'
import { signUp } from '../support/api-user.ts'
import { createFundraiser, expectWhole, startGiving } from '../support/donation-load.ts'
import { startHalf } from '../support/halves.ts'
import { hasAnvil, startTestChain } from '../support/test-chain.ts'
import { waitFor } from '../support/wait-for.ts'
import { createWorld, TEST_CHAIN } from '../support/world.ts'

/** The test takes half a minute. A busy machine needs longer. */
const TIMEOUT_MS = 240_000
const CHAIN_IDS = [31337, 31338, 31339]
/** A lease ends after 5 s. A busy machine needs longer to take it. */
const REPLACED_IN_MS = 30_000
/** The slots of a worker for deliveries to one endpoint. */
const BEGUN_AT_MOST = 8

describe.skipIf(!hasAnvil)('three APIs and four workers on three chains', () => {
  test(
    'share the chains, and double nothing, also when a worker is killed',
    async () => {
      const chains = await Promise.all(CHAIN_IDS.map((chainId) => startTestChain({ chainId })))
      const { url } = await createWorld()
      const fundraiser = await createFundraiser(url, CHAIN_IDS)
      const { pool, receiver, account, campaignIds } = fundraiser
      const assets = CHAIN_IDS.map((id) => ({ ...TEST_CHAIN, id }))
      const env = {
        PUBLIC_URL: 'http://localhost',
        CHAINS: JSON.stringify(
          assets.map((asset, index) => ({
            ...{ ...asset, name: `test ${index}`, rpc: [chains[index]?.url] },
            ...{ startBlock: 0, pollIntervalMs: 100 },
          })),
        ),
      }
      const start = (half: 'api' | 'worker') =>
        startHalf(half, { databaseUrl: url, rpcUrl: '', env })
      // Starts two processes at a time, because seven would take too long on a busy machine.
      const startPair = () => Promise.all([start('api'), start('worker')])
      const pairs = [await startPair(), await startPair(), await startPair()]
      /** The owners of leases that were taken or renewed after a time. */
      const holders = async (since = new Date(0)) => {
        const rows = await pool<{ owner: string }[]>`
        select lease_owner as owner from chain_state
        where lease_until > greatest(clock_timestamp(), ${since}::timestamptz + interval '5 s')
        order by chain_id`
        return rows.map(({ owner }) => owner)
      }
      const areShared = (owners: string[]) =>
        owners.length === CHAIN_IDS.length && new Set(owners).size === CHAIN_IDS.length
      await waitFor('three workers to have a chain each', () => holders(), areShared)

      const spare = await start('worker')
      const [ports, workers] = [pairs.map(([api]) => api.port), pairs.map(([, worker]) => worker)]
      const { token } = await signUp(ports[0] ?? 0, 'donor')
      const loads = chains.map((chain, index) =>
        startGiving({
          chain,
          campaignId: campaignIds[index] ?? '',
          account,
          ports,
          token,
          donors: 2,
        }),
      )
      const more = (count: number) => Promise.all(loads.map((load) => load.more(count)))
      await more(10)
      workers[0]?.kill('SIGKILL')
      const killedAt = performance.now()
      const [now] = await pool<{ at: Date }[]>`select clock_timestamp() as at`
      await waitFor(
        'another worker to take the chain',
        () => holders(now?.at),
        areShared,
        REPLACED_IN_MS,
      )
      const seconds = ((performance.now() - killedAt) / 1_000).toFixed(1)
      console.log(`A worker was killed: another one had its chain after ${seconds} s`)
      await more(10)
      await Promise.all(loads.map((load) => load.stop()))
      await expectWhole(fundraiser, loads)

      // Only deliveries that the killed worker had begun may arrive twice.
      const times = Map.groupBy(receiver.received, ({ id }) => id)
      const repeated = [...times.values()].filter(({ length }) => length > 1)
      expect(repeated.length).toBeLessThanOrEqual(BEGUN_AT_MOST)
      expect([...pairs.flat().slice(2), spare].filter((half) => half.hasEnded())).toEqual([])
    },
    TIMEOUT_MS,
  )
})
