export type Media = { type: string; url: string; caption: string | null }

/** News from a campaign. */
export type UpdateView = {
  id: string
  campaignId: string
  type: string
  title: string
  content: string
  media: Media[]
  createdAt: Date
}

export type UpdateRow = {
  id: string
  campaign_id: string
  type: string
  title: string
  content: string
  media: Media[]
  created_at: Date
}

export const toUpdateView = (row: UpdateRow): UpdateView => ({
  id: row.id,
  campaignId: row.campaign_id,
  type: row.type,
  title: row.title,
  content: row.content,
  media: row.media,
  createdAt: row.created_at,
})
