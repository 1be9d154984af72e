import { createHash } from 'node:crypto'
import type { Context } from '../../../db/context.ts'
import type { Campaign, CampaignCover } from '../../../db/schema/campaigns.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { mayActFor } from '../../../kernel/actor.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { readImage } from '../../../kernel/formats/image.ts'
import { holdAccount } from '../../shared/index.ts'
import type { CampaignView } from './campaign-view.ts'
import { refuseEnded } from './change-campaign.ts'
import { getCampaign } from './get-campaign.ts'
import { type LockedCampaign, lockCampaign } from './lock-campaign.ts'
import { emitUpdated } from './updated-event.ts'

export const MAX_COVER_BYTES = 500_000
/** The maximum size of all covers of one creator together. */
const MAX_ALL_BYTES = 50 * MAX_COVER_BYTES

/** The length of a tag, which is the start of the image's SHA-256 in base64url. */
const TAG_LENGTH = 27

/**
 * Stores a campaign's cover image unchanged, in place of the previous cover. Reads the image type
 * from the bytes. Only the creator and administrators may call this.
 *
 * @throws DomainError `invalid_input` if the bytes are not an image; `not_found` without such a
 * campaign; `forbidden` if another user calls this; `conflict` if the campaign has ended, or if the
 * creator's covers are too large together
 */
export const setCover = (ctx: Context, id: string, bytes: Uint8Array): Promise<CampaignView> => {
  const image = readImage(bytes)
  if (!image) throw noImage()
  return storeCover(ctx, id, bytes, image)
}

/** Stores an SVG that this service itself brings. Uploads must never get here. */
export const setDrawing = (ctx: Context, id: string, svg: Uint8Array): Promise<CampaignView> =>
  storeCover(ctx, id, svg, { type: 'image/svg+xml', width: 1_600, height: 900 })

const storeCover = (
  ctx: Context,
  id: string,
  bytes: Uint8Array,
  image: Pick<CampaignCover, 'type' | 'width' | 'height'>,
): Promise<CampaignView> => {
  const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, TAG_LENGTH)
  return withTransaction(ctx, async (ctx) => {
    await holdAccount(ctx)
    const campaign = await lockCampaign(ctx, id)
    refuseEnded(campaign)
    const changed = await ctx.sql`
      insert into campaign_cover (campaign_id, type, width, height, tag, bytes)
      values (${id}, ${image.type}, ${image.width}, ${image.height}, ${tag},
              ${`0x${Buffer.from(bytes).toString('hex')}`})
      on conflict (campaign_id) do update
        set type = excluded.type, width = excluded.width, height = excluded.height,
            tag = excluded.tag, bytes = excluded.bytes
        where campaign_cover.tag <> excluded.tag`
    if (changed.count > 0) {
      const above = await ctx.sql`
        select from campaign_cover join campaign on campaign.id = campaign_id
        where creator_id = ${campaign.creatorId}
        having sum(octet_length(bytes)) > ${MAX_ALL_BYTES}`
      if (above.length > 0)
        throw new DomainError('conflict', 'Your covers may have 25 MB together.')
      await noteChange(ctx, campaign)
    }
    return getCampaign(ctx, id)
  })
}

/**
 * Removes the cover of a campaign. This is also allowed after the campaign has ended.
 *
 * @throws DomainError `not_found` without a cover; `forbidden` if another user calls this
 */
export const deleteCover = (ctx: Context, id: string): Promise<void> =>
  withTransaction(ctx, async (ctx) => {
    await holdAccount(ctx)
    const campaign = await lockCampaign(ctx, id)
    const deleted = await ctx.sql`delete from campaign_cover where campaign_id = ${id}`
    if (deleted.count === 0) throw noCover()
    await noteChange(ctx, campaign)
  })

/**
 * Finds the cover of a campaign that the caller may see. `tag` identifies the image, and `read`
 * returns its bytes. `isPublic` is false if the campaign is a draft.
 *
 * @throws DomainError `not_found` without such a cover, and from `read` if the cover has changed
 */
export const getCover = async ({ sql, actor }: Context, id: string) => {
  const [row] = await sql<(Pick<CampaignCover, 'type' | 'tag'> & Creation)[]>`
    select type, tag, status, creator_id
    from campaign_cover join campaign on campaign.id = campaign_cover.campaign_id
    where campaign_id = ${id}`
  const isPublic = row?.status !== 'draft'
  if (!row || (!isPublic && !mayActFor(actor, row.creatorId))) throw noCover()
  const { type, tag } = row
  const read = async () => {
    const [stored] = await sql<{ bytes: string }[]>`
      select bytes from campaign_cover where campaign_id = ${id} and tag = ${tag}`
    if (!stored) throw noCover()
    return Buffer.from(stored.bytes.slice(2), 'hex')
  }
  return { type, tag, isPublic, read }
}

type Creation = Pick<Campaign, 'status' | 'creatorId'>

const noteChange = async (ctx: Context, campaign: LockedCampaign): Promise<void> => {
  await ctx.sql`update campaign set updated_at = ${ctx.clock.now()} where id = ${campaign.id}`
  await emitUpdated(ctx, campaign, campaign.status, ['cover'])
}

const noCover = () => new DomainError('not_found', 'There is no such campaign, or it has no cover.')

const noImage = () =>
  new DomainError(
    'invalid_input',
    'The body must be one complete, still JPEG, PNG or WebP image of at most 25 megapixels and 10 000 pixels per side.',
  )
