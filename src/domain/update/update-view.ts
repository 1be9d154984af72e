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
  /** When it was changed; null while it is as it was published. */
  updatedAt: Date | null
}

export type UpdateRow = {
  id: string
  campaignId: string
  type: string
  title: string
  content: string
  media: Media[]
  createdAt: Date
  updatedAt: Date | null
}

/** As a list shows it: the beginning of its content, and the first of its media. */
export type ListedUpdateView = Omit<UpdateView, 'media'> & { media: Omit<Media, 'caption'>[] }
export type ListedUpdateRow = Omit<UpdateRow, 'media'> & { media: ListedUpdateView['media'] }

export const toUpdateView = (row: UpdateRow): UpdateView => ({
  ...sharedView(row),
  media: row.media,
})

export const toListedUpdate = (row: ListedUpdateRow): ListedUpdateView => ({
  ...sharedView(row),
  media: row.media,
})

const sharedView = (row: Omit<UpdateRow, 'media'>): Omit<UpdateView, 'media'> => ({
  id: row.id,
  campaignId: row.campaignId,
  type: row.type,
  title: row.title,
  content: row.content,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})
