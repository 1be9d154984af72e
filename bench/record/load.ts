import { randomBytes } from 'node:crypto'
import { Pool } from 'undici'
import { toChecksumAddress } from '../../src/kernel/formats/address.ts'
import { quantile } from '../support/statistics.ts'

/**
 * The requests to send, and for how long. Each request is another donation, to the campaigns in
 * turn.
 */
export type LoadJob = {
  origin: string
  path: string
  /** At least one access token. The tokens are used in turn. */
  tokens: string[]
  campaignIds: string[]
  connections: number
  durationMs: number
}

export type LoadResult = {
  requests: number
  seconds: number
  p50Ms: number
  p99Ms: number
  /** The number of answers other than 201, by status or error. */
  errors: Record<string, number>
  cpuS: number
}

const TIMEOUT_MS = 10_000
/** More wallets than any cache of the service holds, with their checksums as people send them. */
const WALLETS = 20_000

const createWallets = (): string[] =>
  Array.from({ length: WALLETS }, () => toChecksumAddress(`0x${randomBytes(20).toString('hex')}`))

/** Sends requests as fast as they are answered, one at a time on each connection. */
const run = async (job: LoadJob, wallets: readonly string[]): Promise<LoadResult> => {
  const pool = new Pool(job.origin, {
    connections: job.connections,
    pipelining: 1,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  })
  const headers = job.tokens.map((token) => ({
    'content-type': 'application/json',
    authorization: `Bearer ${token}`,
  }))
  const latencies: number[] = []
  const errors: Record<string, number> = {}
  let sent = 0

  const sendOne = async (): Promise<void> => {
    const index = sent++
    const wallet = wallets[index % wallets.length]
    const body = JSON.stringify({
      campaignId: job.campaignIds[index % job.campaignIds.length],
      amount: { value: `${1 + (index % 500)}.25`, currency: 'USDC' },
      transaction: { txHash: `0x${randomBytes(32).toString('hex')}`, ledgerAddress: wallet },
      type: 'one-time',
      donor: { walletAddress: wallet },
    })
    const before = performance.now()
    const outcome = await send(pool, job.path, headers[index % headers.length] ?? {}, body)
    if (outcome === '201') latencies.push(performance.now() - before)
    else errors[outcome] = (errors[outcome] ?? 0) + 1
  }

  const cpu = process.cpuUsage()
  const started = performance.now()
  const deadline = started + job.durationMs
  const connection = async () => {
    while (performance.now() < deadline) await sendOne()
  }
  await Promise.all(Array.from({ length: job.connections }, connection))
  const seconds = (performance.now() - started) / 1_000
  const { user, system } = process.cpuUsage(cpu)
  await pool.close()
  return {
    requests: latencies.length,
    seconds,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    errors,
    cpuS: (user + system) / 1e6,
  }
}

const send = async (
  pool: Pool,
  path: string,
  headers: Record<string, string>,
  body: string,
): Promise<string> => {
  try {
    const answer = await pool.request({ method: 'POST', path, headers, body })
    await answer.body.dump()
    return String(answer.statusCode)
  } catch (error) {
    return error instanceof Error ? error.name : 'error'
  }
}

if (import.meta.main) {
  process.on('disconnect', () => process.exit(0))
  const wallets = createWallets()
  // record.ts sends the job.
  process.on('message', (job: LoadJob) => {
    void run(job, wallets).then((result) => process.send?.(result))
  })
}
