import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { createDatabase, type Database } from '../../src/db/client.ts'
import { newId } from '../../src/kernel/formats/ids.ts'

/**
 * The upper limit of the rate of recording: Hono, a parsed body, and one INSERT of the same row
 * into the same table. It authenticates no caller, validates nothing and sends a short answer.
 */
export type CeilingJob = {
  databaseUrl: string
  pool: number
  userId: string
  chainId: number
  assetId: string
}

type Body = {
  campaignId: string
  amount: { value: string }
  transaction: { txHash: string; ledgerAddress: string }
  type: string
}

const FIRST_CHECK_MS = 5_000
const EXPIRY_MS = 72 * 3_600_000

const start = (job: CeilingJob): Promise<number> => {
  const sql = createDatabase({ url: job.databaseUrl, max: job.pool, name: 'ceiling' })
  const app = new Hono()
  app.post('/donations', async (c) => {
    const id = await insert(sql, job, await c.req.json<Body>())
    return c.json({ success: true, id }, 201)
  })
  return new Promise((resolve) => {
    serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => resolve(port))
  })
}

const insert = async (sql: Database, job: CeilingJob, body: Body): Promise<string | undefined> => {
  const nowMs = Date.now()
  const address = body.transaction.ledgerAddress.toLowerCase()
  const [row] = await sql<{ id: string }[]>`
    insert into donation
      (id, user_id, campaign_id, type, donor_wallet, chain_id, tx_hash, ledger_address,
       declared_asset_id, declared_amount, next_check_at, expires_at, request_id, created_at)
    values
      (${newId(nowMs)}, ${job.userId}, ${body.campaignId}, ${body.type}, ${address},
       ${job.chainId}, ${body.transaction.txHash}, ${address}, ${job.assetId},
       ${body.amount.value.replace('.', '')}, ${new Date(nowMs + FIRST_CHECK_MS)},
       ${new Date(nowMs + EXPIRY_MS)}, ${newId(nowMs)}, ${new Date(nowMs)})
    returning id`
  return row?.id
}

if (import.meta.main) {
  process.on('disconnect', () => process.exit(0))
  // record.ts sends the job.
  process.on('message', (job: CeilingJob) => {
    void start(job).then((port) => process.send?.({ port }))
  })
}
