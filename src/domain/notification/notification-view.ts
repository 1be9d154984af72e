import type { NotificationStatus } from '../../kernel/statuses.ts'

export type NotificationRow = {
  id: string
  type: string
  status: NotificationStatus
  title: string
  message: string
  data: Record<string, string>
  createdAt: Date
  updatedAt: Date
}

export type NotificationView = {
  id: string
  type: string
  status: NotificationStatus
  /** In the language that its user had when it was written. */
  title: string
  message: string
  /** The ids of what it is about. */
  data: Record<string, string>
  createdAt: Date
  updatedAt: Date
}

export const toNotificationView = (row: NotificationRow): NotificationView => ({
  id: row.id,
  type: row.type,
  status: row.status,
  title: row.title,
  message: row.message,
  data: row.data,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})
