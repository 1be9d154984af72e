import type postgres from 'postgres'
import type { Database } from '../../../../src/db/client.ts'
import type { Context } from '../../../../src/db/context.ts'
import { createEndpoint } from '../../../../src/domain/events/index.ts'
import type { Actor } from '../../../../src/kernel/actor.ts'
import { address, CHAIN_ID, minedAt, startChain, USDC_ASSET } from '../../../support/chain-facts.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'
import { createContext, createTestCampaign, createUser } from '../../../support/world.ts'

type User = Actor & { kind: 'user' }

/** A service with one campaign. The campaign's creator has one webhook endpoint. */
export type Site = {
  ctx: Context
  clock: ReturnType<typeof createFakeClock>
  creator: User
  donor: User
  campaignId: string
  endpointId: string
  /** The number of the next block. */
  block: number
}

export const ACCOUNT = address('campaign')
/** The number of paid donations of the campaign, and also of its unpaid donations. */
const DONATIONS = 6_000
/** The number of other campaigns, users and wallets. */
const OTHERS = 1_000

export const createSite = async (pool: Database): Promise<Site> => {
  const clock = createFakeClock(minedAt(0))
  const { ctx } = await createContext(pool, { clock })
  const creator = await createUser(ctx)
  const donor = await createUser(ctx)
  const terms = { account: ACCOUNT, target: '1000000000', milestones: ['10', '20'] }
  const campaignId = await createTestCampaign(ctx, { creator, ...terms })
  await startChain(ctx)
  const url = 'https://receiver.example.org/'
  const endpoint = await createEndpoint({ ...ctx, actor: creator }, { url })
  await ctx.sql`update webhook_endpoint set answered_at = now()`
  return { ctx, clock, creator, donor, campaignId, endpointId: endpoint.id, block: 1 }
}

/**
 * Writes the rows of a large deployment. Most rows belong to one campaign, one endpoint and one
 * donor.
 */
export const fillSite = async (site: Site, sql: postgres.Sql): Promise<void> => {
  const { campaignId, endpointId, creator, donor } = site
  const rows = sql`generate_series(1, ${DONATIONS}::int) as i`
  const others = sql`generate_series(1, ${OTHERS}::int) as i`
  const key = (name: string) => sql.unsafe(`md5('${name}' || i)::uuid`)
  const hash = (name: string) =>
    sql.unsafe(`bytes_of('0x' || md5('${name}' || i) || md5('2${name}' || i))`)
  const account = sql`bytes_of(${ACCOUNT})`
  const wallet = (name: string) => sql`substr(${hash(name)}, 1, 20)`
  const at = sql`${minedAt(0)}::timestamptz - interval '1 day' + i * interval '1 second'`
  const later = sql`${minedAt(0)}::timestamptz + interval '1 year'`
  const userId = sql`case when i % 2 = 0 then ${donor.userId}::uuid end`
  await sql`
    insert into chain_transfer (id, chain_id, tx_hash, position, asset_id, sender, recipient, amount,
                                block_number, block_hash, mined_at, seen_at)
    select ${key('paid')}, ${CHAIN_ID}, ${hash('paid')}, 0, ${USDC_ASSET}, ${wallet('paid')},
           ${account}, 1, 0, '0x', ${at}, now()
    from ${rows}`
  // Each hundredth donation was recorded with a transaction that another transaction has replaced.
  await sql`
    insert into donation (id, user_id, campaign_id, chain_id, tx_hash, ledger_address, donor_wallet,
                          declared_asset_id, declared_amount, status, reason, transfer_id,
                          credited_amount, block_number, completed_at, expires_at, created_at, original_tx_hash)
    select ${key('paid')}, ${userId}, ${campaignId}, ${CHAIN_ID}, ${hash('paid')}, ${account},
           ${wallet('paid')}, ${USDC_ASSET}, 1, 'completed', 'completed', ${key('paid')},
           1, 0, ${at}, ${at}, ${at},
           case when i % 100 = 0 then ${hash('replaced')} end
    from ${rows}`
  // Half of these donations are intents. Each fifth has expired.
  await sql`
    insert into donation (id, user_id, campaign_id, chain_id, tx_hash, intent, ledger_address,
                          donor_wallet, declared_asset_id, declared_amount, status, reason,
                          next_check_at, checks, expires_at, created_at)
    select ${key('open')}, ${userId}, ${campaignId}, ${CHAIN_ID},
           case when i % 4 > 1 then ${hash('open')} end, i % 4 < 2, ${account}, ${wallet('open')},
           ${USDC_ASSET}, 1, case when i % 5 = 0 then 'expired' else 'pending' end,
           case when i % 4 < 2 then 'waiting_for_payment' else 'waiting_for_transaction' end,
           case when i % 5 > 0 then ${later} end, 1, ${later}, ${at}
    from ${rows}`
  await sql`
    insert into claim_link (token_hash, donation_id, expires_at)
    select hex_of(${hash('link')}), ${key('open')}, ${later} from ${rows} where i % 2 = 1`
  await sql`
    insert into ledger_account (kind, campaign_id, asset_id)
    values ('custody', ${campaignId}, ${USDC_ASSET}), ('held', ${campaignId}, ${USDC_ASSET})
    on conflict do nothing`
  await sql`
    insert into ledger_entry (kind, debit_account, credit_account, asset_id, amount, campaign_id,
                              donation_id, transfer_id, generation, block_number, block_hash,
                              created_at)
    select 'donation', custody.id, held.id, ${USDC_ASSET}, 1, ${campaignId}, ${key('paid')},
           ${key('paid')}, 0, 0, '0x', now()
    from ledger_account custody, ledger_account held, ${rows}
    where custody.kind = 'custody' and held.kind = 'held'`
  await sql`
    insert into event (id, type, campaign_id, audience, packed, created_at)
    select ${key('paid')}, 'donation.completed', ${campaignId}, array[${creator.userId}::uuid],
           '{}', ${at}
    from ${rows}`
  await sql`
    insert into event_audience (user_id, tx, seq)
    select ${creator.userId}, tx, seq from event on conflict do nothing`
  await sql`
    insert into webhook_delivery (id, event_id, endpoint_id, event_type, campaign_id, event_seq,
                                  status, created_at, delivered_at)
    select id, id, ${endpointId}, type, campaign_id, seq, 'delivered', created_at, created_at
    from event on conflict do nothing`
  await sql`
    insert into notification (id, user_id, type, title, message, created_at, updated_at)
    select ${key('paid')}, ${donor.userId}, 'campaign_funded', 'a', 'a', ${at}, now()
    from ${rows}`
  await sql`
    insert into app_user (id, email, username, password_hash, lang, created_at)
    select ${key('other')}, i || '@example.com', 'other' || i, '', 'en', now() from ${others}`
  await sql`
    insert into wallet (id, user_id, address, chain_id, method, created_at)
    select ${key('other')}, ${key('other')}, ${wallet('other')}, ${CHAIN_ID}, 'ecdsa', now()
    from ${others}`
  await sql`
    insert into campaign (id, creator_id, title, description, status, currency_id, target_amount,
                          chain_id, account, created_at, updated_at)
    select ${key('other')}, ${key('other')}, 'Wells', 'a', 'active', ${USDC_ASSET}, 1, ${CHAIN_ID},
           ${wallet('account')}, ${at}, now()
    from ${others}`
  await sql`
    insert into campaign_total (campaign_id, updated_at)
    select id, now() from campaign on conflict do nothing`
  await sql`
    insert into campaign_escrow (campaign_id, terms)
    select ${key('other')}, '0x' from ${others}`
}

const TABLES = {
  chain_id: ['donation', 'chain_transfer', 'campaign'],
  campaign_id: ['donation', 'ledger_entry'],
}

/**
 * Gathers statistics while all rows have another value in this column, for example another chain.
 */
export const moveRows = async (
  sql: postgres.Sql,
  column: keyof typeof TABLES,
  value: string,
): Promise<void> => {
  // Turns off the triggers that refuse changes of the ledger.
  await sql`set session_replication_role = replica`
  for (const table of TABLES[column]) {
    const [row] = await sql.unsafe(`select ${column}::text as own from ${table} limit 1`)
    const move = (to: string) => sql.unsafe(`update ${table} set ${column} = '${to}'`)
    await move(value)
    await sql.unsafe(`analyze ${table}`)
    await move(row?.own)
  }
}
