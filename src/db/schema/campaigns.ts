import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { CoverType } from '../../kernel/formats/image.ts'
import {
  CAMPAIGN_STATUSES,
  type CampaignStatus,
  MILESTONE_STATUSES,
  type MilestoneStatus,
} from '../../kernel/statuses.ts'
import {
  hasBytes,
  hex,
  int64,
  isOneOf,
  moment,
  reference,
  searchWords,
  textReference,
  units,
  unitsSum,
} from '../columns.ts'
import { appUser } from './users.ts'

/** `id` is a CAIP-19 name, or for a fiat currency a name such as `iso4217:USD`. */
export const asset = pgTable(
  'asset',
  {
    id: text('id').primaryKey(),
    chainId: int64('chain_id'),
    kind: text('kind').notNull(),
    address: text('address'),
    symbol: text('symbol').notNull(),
    decimals: integer('decimals').notNull(),
  },
  (table) => [
    isOneOf('asset_kind', table.kind, ['erc20', 'native', 'fiat']),
    check('asset_decimals', sql`${table.decimals} between 0 and 36`),
  ],
)

type StoredLocation = {
  country: string | null
  region: string | null
  coordinates: [number, number] | null
}

export const campaign = pgTable(
  'campaign',
  {
    id: uuid('id').primaryKey(),
    creatorId: reference('creator_id', () => appUser.id),
    /** The name that this campaign shows for its creator. */
    creatorName: text('creator_name'),
    title: text('title').notNull(),
    /** The campaign's name in web addresses. If it is null, the addresses contain the id. */
    slug: text('slug'),
    description: text('description').notNull(),
    category: text('category'),
    location: jsonb('location').$type<StoredLocation>(),
    status: text('status').$type<CampaignStatus>().notNull(),
    currencyId: textReference('currency_id', () => asset.id),
    targetAmount: units('target_amount').notNull(),
    chainId: int64('chain_id').notNull(),
    account: hex('account').notNull(),
    accountProvenAt: moment('account_proven_at'),
    /** True for a draft that becomes active when its creator proves to own its account. */
    opensWhenProven: boolean('opens_when_proven').notNull().default(false),
    openedAt: moment('opened_at'),
    /**
     * A transfer counts if its block has a later time than `countsAfter`, or a number above
     * `countsAfterBlock`. If `countsAfterBlock` is null, a transfer also counts at exactly
     * `countsAfter`. If `countsAfter` is null, a transfer counts from the second in which the
     * campaign opened.
     */
    countsAfter: moment('counts_after'),
    countsAfterBlock: int64('counts_after_block'),
    /** True for a draft that was cancelled. No transfer to its account counts for this campaign. */
    neverOpened: boolean('never_opened').notNull().default(false),
    fundedAt: moment('funded_at'),
    /** The end that the creator has announced, only for display. */
    endsAt: moment('ends_at'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
    /** The words that a campaign search can find, in the form in which the text has them. */
    search: searchWords('search').generatedAlwaysAs(
      sql`to_tsvector('simple', title || ' ' || description || ' ' ||
        coalesce(location ->> 'country', '') || ' ' || coalesce(location ->> 'region', ''))`,
    ),
  },
  (table) => [
    isOneOf('campaign_status', table.status, CAMPAIGN_STATUSES),
    check('campaign_target', sql`${table.targetAmount} > 0`),
    hasBytes('campaign_account', table.account, 20),
    uniqueIndex('campaign_open_account')
      .on(table.chainId, table.account)
      .where(sql`${table.status} in ('active','funded')`),
    uniqueIndex('campaign_slug').on(table.slug),
    index('campaign_account_lookup').on(table.chainId, table.account),
    index('campaign_newest').on(table.createdAt, table.id),
    index('campaign_status_newest').on(table.status, table.createdAt, table.id),
    index('campaign_creator').on(table.creatorId, table.createdAt, table.id),
    // `fastupdate` is off, because each search would have to read the pending list of the index.
    index('campaign_search').using('gin', table.search).with({ fastupdate: false }),
  ],
)

/** The raised total of a campaign, updated in the transaction that writes its ledger entries. */
export const campaignTotal = pgTable('campaign_total', {
  campaignId: uuid('campaign_id')
    .primaryKey()
    .references(() => campaign.id),
  raised: unitsSum('raised').notNull().default('0'),
  /** The part of the credits that an escrow has paid back. `raised` does not contain it. */
  refunded: unitsSum('refunded').notNull().default('0'),
  donations: int64('donations').notNull().default(0),
  updatedAt: moment('updated_at').notNull(),
})

/** The cover image of a campaign, in a table of its own, so that lists do not read the image. */
export const campaignCover = pgTable('campaign_cover', {
  campaignId: uuid('campaign_id')
    .primaryKey()
    .references(() => campaign.id, { onDelete: 'cascade' }),
  type: text('type').$type<CoverType>().notNull(),
  /** Width and height are in pixels. */
  width: integer('width').notNull(),
  height: integer('height').notNull(),
  /** The first characters of the SHA-256 of the image, in base64url. */
  tag: text('tag').notNull(),
  bytes: hex('bytes').notNull(),
})

export const milestone = pgTable(
  'milestone',
  {
    id: uuid('id').primaryKey(),
    campaignId: reference('campaign_id', () => campaign.id),
    position: integer('position').notNull(),
    title: text('title'),
    description: text('description').notNull(),
    amount: units('amount').notNull(),
    cumulative: units('cumulative').notNull(),
    status: text('status').$type<MilestoneStatus>().notNull().default('pending'),
    /** The number of rejections so far. Decisions from before the last rejection do not count. */
    verificationRound: integer('verification_round').notNull().default(0),
    verificationDocs: jsonb('verification_docs').$type<string[]>().notNull().default([]),
    reachedAt: moment('reached_at'),
    verifiedAt: moment('verified_at'),
    releasedAt: moment('released_at'),
  },
  (table) => [
    uniqueIndex('milestone_order').on(table.campaignId, table.position),
    isOneOf('milestone_status', table.status, MILESTONE_STATUSES),
    check('milestone_amount', sql`${table.amount} > 0`),
  ],
)

export type Asset = typeof asset.$inferSelect
export type Campaign = typeof campaign.$inferSelect
export type CampaignTotal = typeof campaignTotal.$inferSelect
export type CampaignCover = typeof campaignCover.$inferSelect
export type Milestone = typeof milestone.$inferSelect
