import type { Database, Queryable } from '../../src/db/client.ts'
import { timeOfId } from '../../src/kernel/formats/ids.ts'

/** A pass of the sync: its blocks, and two ids, one from before and one from after its writes. */
export type Pass = {
  chainId: number
  firstBlock: number
  blocks: number
  fromId: string
  untilId: string
}

/** The pause between the last row of a pass and the first row of its copy. */
const PAUSE_MS = 1_000

/**
 * Copies the rows of a pass `copies` times: the same payments of the same donors, as other
 * transactions in later blocks. Each copy is one transaction with one statement for each table,
 * which is several times faster than the verbs. Only ids, hashes and times are new. All of them are
 * later than those of the copy before, as in a real deployment, because indexes need more space for
 * rows out of order.
 *
 * @param newest the number of the newest block
 * @returns the milliseconds by which the last copy is later than the pass
 */
export const copyPass = async (
  database: Database,
  pass: Pass,
  newest: number,
  copies: number,
): Promise<number> => {
  const columns = await columnsOf(database)
  const lengthMs = timeOfId(pass.untilId) - timeOfId(pass.fromId) + PAUSE_MS
  for (let copy = 1; copy <= copies; copy++) {
    const first = newest + 1 + (copy - 1) * pass.blocks
    const by = { copy, blocks: first - pass.firstBlock, ms: copy * lengthMs }
    await database.begin((sql) => copyOnce(sql, pass, columns, by))
  }
  return copies * lengthMs
}

type Column = { name: string; isTime: boolean }
type Columns = ReadonlyMap<string, readonly Column[]>
/** The number of a copy, and the blocks and milliseconds by which it is later than its pass. */
type Later = { copy: number; blocks: number; ms: number }

/** The columns of each table that are not identity columns. */
const columnsOf = async (sql: Queryable): Promise<Columns> => {
  const rows = await sql<{ tableName: string; columns: Column[] }[]>`
    select table_name, jsonb_agg(jsonb_build_object('name', column_name,
             'isTime', data_type = 'timestamp with time zone') order by ordinal_position) as columns
    from information_schema.columns
    where table_schema = 'public' and is_identity = 'NO' group by table_name`
  return new Map(rows.map(({ tableName, columns }) => [tableName, columns]))
}

const copyOnce = async (
  sql: Queryable,
  pass: Pass,
  columns: Columns,
  { copy, blocks: by, ms: byMs }: Later,
): Promise<void> => {
  const [fromBlock, untilBlock] = [pass.firstBlock, pass.firstBlock + pass.blocks]
  const timeOf = (column: string) => `(${column} + interval '${byMs} ms')`
  const isoOf = (time: string) =>
    `to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  const idOf = (column: string) =>
    `(lpad(to_hex(('x' || left(replace(${column}::text, '-', ''), 12))::bit(48)::bigint + ${byMs}),
       12, '0') || right(replace(${column}::text, '-', ''), 20))::uuid`
  const hashOf = (column: string) => `sha256(${column} || '${copy}'::bytea)`
  const blockOf = { block_number: `block_number + ${by}`, block_hash: blockHashOf(by) }
  const copyRows = (
    table: string,
    changed: Record<string, string>,
    where: string,
    from = table,
  ) => {
    const all = columns.get(table) ?? []
    const values = all.map(({ name, isTime }) => {
      const column = `${table}.${name}`
      return changed[name] ?? (isTime ? timeOf(column) : column)
    })
    const names = all.map(({ name }) => name).join(', ')
    return sql.unsafe(
      `insert into ${table} (${names}) select ${values.join(', ')} from ${from} where ${where}`,
    )
  }
  const ofPass = (column: string) =>
    `${column} > '${pass.fromId}' and ${column} < '${pass.untilId}'`
  await copyRows(
    'chain_block',
    {
      number: `number + ${by}`,
      hash: blockHashOf(by, 'number'),
      parent_hash: blockHashOf(by - 1, 'number'),
    },
    `chain_id = ${pass.chainId} and number >= ${fromBlock} and number < ${untilBlock}`,
  )
  await copyRows(
    'chain_transfer',
    { id: idOf('id'), tx_hash: hashOf('tx_hash'), ...blockOf },
    `${ofPass('id')} order by id`,
  )
  await copyRows(
    'donation',
    {
      id: idOf('id'),
      request_id: `${idOf('id')}::text`,
      transfer_id: idOf('transfer_id'),
      tx_hash: hashOf('tx_hash'),
      ...blockOf,
    },
    `${ofPass('id')} order by id`,
  )
  await copyRows(
    'ledger_entry',
    { donation_id: idOf('donation_id'), transfer_id: idOf('transfer_id'), ...blockOf },
    `${ofPass('donation_id')} order by ledger_entry.id`,
  )
  await copyRows(
    'event',
    {
      id: idOf('event.id'),
      request_id: `${idOf('event.request_id')}::text`,
      tx: 'pg_current_xact_id()',
      packed: `replace(replace(replace(packed, event.request_id, ${idOf('event.request_id')}::text),
        substr(hex_of(donation.tx_hash), 3), substr(hex_of(${hashOf('donation.tx_hash')}), 3)),
        ${isoOf('chain_transfer.mined_at')}, ${isoOf(timeOf('chain_transfer.mined_at'))})`,
    },
    `${ofPass('event.id')} order by seq`,
    `event join donation on donation.id = event.request_id::uuid
     join chain_transfer on chain_transfer.id = donation.transfer_id`,
  )
  await copyRows(
    'event_audience',
    { tx: 'copy.tx', seq: 'copy.seq' },
    ofPass('event.id'),
    `event join event copy on copy.id = ${idOf('event.id')}
     join event_audience on event_audience.tx = event.tx and event_audience.seq = event.seq
       and event_audience.user_id = any(event.audience)`,
  )
  await copyRows(
    'webhook_delivery',
    { id: idOf('webhook_delivery.id'), event_id: 'copy.id', event_seq: 'copy.seq' },
    `${ofPass('webhook_delivery.id')} order by webhook_delivery.id`,
    `webhook_delivery join event copy on copy.id = ${idOf('event_id')}`,
  )
  await copyRows(
    'notification',
    { id: idOf('id'), donation_id: idOf('donation_id') },
    `${ofPass('id')} order by id`,
  )
  await sql.unsafe(`
    update campaign_total set raised = raised + sum, donations = donations + count
    from (select campaign_id, sum(credited_amount), count(*) from donation
          where ${ofPass('id')} group by campaign_id) pass
    where pass.campaign_id = campaign_total.campaign_id`)
  const last = untilBlock - 1 + by
  await sql.unsafe(`
    update chain_state set cursor_number = ${last}, head_number = ${last},
      finalized_number = ${last}, booked_number = ${last},
      cursor_hash = (select hash from chain_block where chain_id = ${pass.chainId} and number = ${last})
    where chain_id = ${pass.chainId}`)
}

/** The SQL expression of `blockHash` in deployment.ts. */
const blockHashOf = (by: number, column = 'block_number'): string =>
  `sha256(('block ' || (${column} + ${by}))::bytea)`
