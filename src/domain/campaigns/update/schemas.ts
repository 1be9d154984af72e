import { z } from 'zod'
import { PageQuery, WebUrl } from '../../shared/index.ts'

const MAX_MEDIA = 20
const text = (max: number) => z.string().trim().min(1).max(max)
const UpdateType = text(40)

export const PostUpdate = z.strictObject({
  campaignId: z.uuid(),
  /** A word that the author chooses, such as `progress`. Lists can be filtered by this type. */
  type: UpdateType,
  title: text(200),
  content: text(50_000),
  media: z
    .array(z.strictObject({ type: text(60), url: WebUrl, caption: text(500).optional() }))
    .max(MAX_MEDIA)
    .default([]),
})
export type PostUpdate = z.output<typeof PostUpdate>

/** The update keeps its value for each field that the request leaves out. */
export const ChangeUpdate = PostUpdate.omit({ campaignId: true })
  .extend({ media: PostUpdate.shape.media.unwrap() })
  .partial()
  .refine((body) => Object.keys(body).length > 0, { error: 'must name a field to change' })
export type ChangeUpdate = z.output<typeof ChangeUpdate>

export const ListUpdates = PageQuery.extend({
  campaignId: z.uuid().optional(),
  type: UpdateType.optional(),
})
export type ListUpdates = z.output<typeof ListUpdates>
