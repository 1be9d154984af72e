import type { Database, Queryable } from '../../src/db/client.ts'

/** A pass of the sync: its blocks, and two ids, one from before and one from after its writes. */
export type Pass = {
  chainId: number
  firstBlock: number
  blocks: number
  fromId: string
  untilId: string
}

/**
 * The ids of copies are older than those of the pass by this time, so that all ids are in the past.
 */
const EARLIER_MS = 20 * 3_600_000
const PASS_MS = 10_000

/**
 * Copies the rows of a pass `copies` times: the same payments of the same donors, as other
 * transactions in later blocks. Each copy is one transaction with one statement for each table,
 * which is several times faster than the verbs. Only ids and hashes are new.
 *
 * @param newest the number of the newest block
 */
export const copyPass = async (
  database: Database,
  pass: Pass,
  newest: number,
  copies: number,
): Promise<void> => {
  const columns = await columnsOf(database)
  for (let copy = 1; copy <= copies; copy++) {
    const first = newest + 1 + (copy - 1) * pass.blocks
    await database.begin((sql) => copyOnce(sql, pass, columns, copy, first - pass.firstBlock))
  }
}

type Columns = ReadonlyMap<string, readonly string[]>

/** The columns of each table that are not identity columns. */
const columnsOf = async (sql: Queryable): Promise<Columns> => {
  const rows = await sql<{ tableName: string; names: string[] }[]>`
    select table_name, array_agg(column_name::text order by ordinal_position) as names
    from information_schema.columns
    where table_schema = 'public' and is_identity = 'NO' group by table_name`
  return new Map(rows.map(({ tableName: table_name, names }) => [table_name, names]))
}

/** @param by the number of blocks by which the copy is later */
const copyOnce = async (
  sql: Queryable,
  pass: Pass,
  columns: Columns,
  copy: number,
  by: number,
): Promise<void> => {
  const [fromBlock, untilBlock] = [pass.firstBlock, pass.firstBlock + pass.blocks]
  const byMs = copy * PASS_MS - EARLIER_MS
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
    const names = columns.get(table) ?? []
    const values = names.map((name) => changed[name] ?? `${table}.${name}`)
    return sql.unsafe(
      `insert into ${table} (${names.join(', ')}) select ${values.join(', ')} from ${from} where ${where}`,
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
      packed: `replace(replace(packed, event.request_id, ${idOf('event.request_id')}::text),
        substr(hex_of(donation.tx_hash), 3), substr(hex_of(${hashOf('donation.tx_hash')}), 3))`,
    },
    `${ofPass('event.id')} order by seq`,
    'event join donation on donation.id = event.request_id::uuid',
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
    {
      id: idOf('id'),
      data: `data || jsonb_build_object('donationId', ${idOf(`(data->>'donationId')`)})`,
    },
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
