import { describe, expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../src/db/client.ts'
import { checkLedger } from '../../src/domain/books/index.ts'
import { createEndpoint } from '../../src/domain/events/index.ts'
import { type ApiAnswer, call, signUp } from '../support/api-user.ts'
import { address } from '../support/chain-facts.ts'
import { startHalf } from '../support/halves.ts'
import { startOwnPostgres } from '../support/own-postgres.ts'
import { startReceiver } from '../support/receiver.ts'
import { hasAnvil, startTestChain } from '../support/test-chain.ts'
import { waitFor } from '../support/wait-for.ts'
import { createContext, createTestCampaign, createUser } from '../support/world.ts'

const ACCOUNT = address('campaign')
const GIFTS = 30

describe.skipIf(!hasAnvil)('a Postgres that is killed', () => {
  test('under recording, settling and delivering loses, doubles and unbalances nothing', async () => {
    const chain = await startTestChain()
    const postgres = await startOwnPostgres()
    const pool = createDatabase({ url: postgres.url, max: 4 })
    onTestFinished(() => pool.end({ timeout: 1 }))
    const { ctx, as } = await createContext(pool)
    const creator = await createUser(ctx)
    const campaignId = await createTestCampaign(ctx, {
      creator,
      account: ACCOUNT,
      target: '30',
      milestones: ['10', '20'],
    })
    const receiver = await startReceiver()
    receiver.trust((await createEndpoint(as(creator), { url: receiver.url })).secret ?? '')
    const places = { databaseUrl: postgres.url, rpcUrl: chain.url }
    // No supervisor restarts the API and the worker: both must survive the kill.
    const [api, worker] = await Promise.all([startHalf('api', places), startHalf('worker', places)])
    const donor = await signUp(api.port, 'donor')

    const acknowledged: string[] = []
    const post = async (index: number): Promise<void> => {
      const signed = await chain.send(await chain.signToken(1 + (index % 4), ACCOUNT, 1_000_000n))
      const body = {
        campaignId,
        amount: { value: 1, currency: 'USDC' },
        transaction: { txHash: signed.hash, ledgerAddress: signed.from },
      }
      // Sends the same request again until it is answered, as a client does after a 503.
      const answer = await waitFor(
        'a donation to be acknowledged',
        () =>
          call(api.port, 'POST', '/api/donations', { token: donor.token, body }).catch(() => null),
        (reply) => reply?.status === 201 || reply?.status === 200,
      )
      acknowledged.push(
        (answer as ApiAnswer & { body: { donation: { id: string } } }).body.donation.id,
      )
    }
    for (let index = 0; index < GIFTS; index++) {
      await post(index)
      if (index % 5 === 4) await chain.mine()
      if (index === 7 || index === 16 || index === 25) await postgres.killAndRestart()
    }
    await chain.mine(3)

    await waitFor(
      'every donation to complete',
      () =>
        pool<{ status: string }[]>`select status from donation`.then(
          (rows) => rows.filter((row) => row.status === 'completed').length,
          () => 0,
        ),
      (completed) => completed === GIFTS,
    )
    const stored = await pool<{ id: string }[]>`select id from donation`
    expect(new Set(acknowledged)).toEqual(new Set(stored.map((row) => row.id)))
    expect(await pool`select raised from campaign_total`).toEqual([{ raised: '30000000' }])
    expect(await pool`select id from ledger_entry`).toHaveLength(GIFTS)
    expect((await checkLedger(pool)).differences).toEqual([])
    const emitted = await pool<{ id: string; type: string }[]>`
      select id, type from event where campaign_id = ${campaignId}`
    expect(emitted).toHaveLength(GIFTS + 3)
    await waitFor(
      'every event to arrive',
      () => receiver.events().map((one) => one.id),
      (ids) => emitted.every((row) => ids.includes(row.id)),
      45_000,
    )
    expect(receiver.refused).toEqual([])
    expect(process.kill(api.pid, 0) && process.kill(worker.pid, 0)).toBe(true)
  }, 120_000)
})
