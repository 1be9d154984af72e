import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { run as check } from '../../src/commands/check.ts'
import { run as reconcile } from '../../src/commands/reconcile/main.ts'
import type { Queryable } from '../../src/db/client.ts'
import type { Arrival, ReceiversJob } from '../deliver/receivers.ts'
import type { NodeProcess } from '../support/node-process.ts'
import type { SoakChain } from './chains.ts'

const SETTLE_STEP_MS = 1_000
const SETTLE_TIMEOUT_MS = 180_000
const MOST_LINES = 20
const MOST_CHARACTERS = 200

type LogLine = Partial<Record<'level' | 'msg' | 'job' | 'reason', string>>
type Left = { open: number; unsealed: number; undelivered: number }

/**
 * Mines until all donations are settled and sealed, and good endpoints have all their events.
 * Returns what is left after three minutes.
 */
export const untilSettled = async (
  sql: Queryable,
  chains: readonly SoakChain[],
  goodEndpoints: readonly string[],
): Promise<string[]> => {
  const deadline = performance.now() + SETTLE_TIMEOUT_MS
  for (;;) {
    await Promise.all(chains.map((chain) => chain.resend().then(() => chain.mine())))
    const [left] = await sql<Left[]>`
      select (select count(*)::int from donation where status <> 'completed') as open,
        ((select count(*) from ledger_entry) - (select count(*) from sealed_entry))::int as unsealed,
        ((select count(*) from unrelayed_event) +
         (select count(*) from webhook_delivery
          where endpoint_id = any(${goodEndpoints}::uuid[]) and status <> 'delivered'))::int
           as undelivered`
    const rest = Object.entries(left ?? {}).filter(([, count]) => count !== 0)
    if (rest.length === 0) return []
    if (performance.now() > deadline) {
      const open = await sql<{ what: string; count: number }[]>`
        select concat_ws(' ', 'donations', status, reason) as what, count(*)::int as count
        from donation where status <> 'completed' group by 1`
      return [...rest, ...open.map((row) => Object.values(row))].map((pair) => pair.join(': '))
    }
    await delay(SETTLE_STEP_MS)
  }
}

/** Compares what the donors know with the database, and what receivers got with the deliveries. */
export const compare = async (
  sql: Queryable,
  acknowledged: ReadonlyMap<string, bigint>,
  receivers: NodeProcess,
  goodEndpoints: readonly string[],
): Promise<string[]> => {
  const faults: string[] = []
  const stored = await sql<{ id: string; entries: number }[]>`
    select donation.id, count(ledger_entry.id)::int as entries
    from donation left join ledger_entry
      on ledger_entry.donation_id = donation.id and ledger_entry.kind = 'donation'
        and not exists (select from ledger_entry undo where undo.reverses = ledger_entry.id)
    group by donation.id`
  const entries = new Map(stored.map((row) => [row.id, row.entries]))
  const lost = [...acknowledged.keys()].filter((id) => !entries.has(id))
  const unknown = stored.filter(({ id }) => !acknowledged.has(id))
  const uneven = stored.filter((row) => row.entries !== 1)
  if (lost.length > 0) faults.push(`${lost.length} donations are lost`)
  if (unknown.length > 0) faults.push(`${unknown.length} donations are stored twice`)
  if (uneven.length > 0) faults.push(`${uneven.length} donations are not credited exactly once`)
  const [events] = await sql<{ doubled: number }[]>`
    select count(*)::int as doubled from (
      select event.body::jsonb #>> '{data,donationId}' from event where type = 'donation.completed'
      group by 1 having count(*) > 1) twice`
  if (events?.doubled !== 0) faults.push(`${events?.doubled} donations were announced twice`)
  const [sent] = await sql<{ count: number }[]>`
    select count(*)::int as count from webhook_delivery
    where endpoint_id = any(${goodEndpoints}::uuid[])`
  const job: ReceiversJob = { kind: 'arrivals' }
  const arrived = ((await receivers.ask(job)) as Arrival[]).length
  if (arrived !== sent?.count) faults.push(`${arrived} of ${sent?.count} webhooks arrived`)
  return faults
}

/** Runs both commands as an operator does. Their words go to the output. */
export const runCommands = async (
  env: NodeJS.ProcessEnv,
  chains: readonly SoakChain[],
): Promise<string[]> => {
  const faults: string[] = []
  const checked = await check([], env)
  if (checked !== 0) faults.push(`npm run check exited with ${checked}`)
  for (const { id } of chains) {
    const code = await reconcile(['--chain', String(id), '--from', '1'], env)
    if (code !== 0) faults.push(`npm run reconcile -- --chain ${id} exited with ${code}`)
  }
  return faults
}

/** The warnings and errors in the logs of the service, by their message, most frequent first. */
export const warningsIn = (files: readonly string[]): string => {
  const counts = new Map<string, number>()
  for (const line of files.flatMap((file) => readFileSync(file, 'utf8').split('\n'))) {
    if (!line.startsWith('{')) continue
    const { level = '', msg, job, reason } = JSON.parse(line) as LogLine
    if (!['warn', 'error', 'fatal'].includes(level)) continue
    const parts = [`${level}: ${msg}`, job, reason].filter((part) => part !== undefined)
    const text = parts.join(', ').slice(0, MOST_CHARACTERS)
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a)
  return sorted
    .slice(0, MOST_LINES)
    .map(([text, count]) => `${count} × ${text}`)
    .join('\n')
}
