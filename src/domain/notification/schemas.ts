import { z } from 'zod'
import { NOTIFICATION_STATUSES } from '../../kernel/statuses.ts'
import { Moment } from '../moment.ts'
import { PageQuery, severalOf } from '../page.ts'
import { NOTIFICATION_TYPES } from './render.ts'

export const ListNotifications = PageQuery.extend({
  /** Default: all statuses except `deleted`. */
  status: severalOf(NOTIFICATION_STATUSES),
  type: z.enum(NOTIFICATION_TYPES).optional(),
})
export type ListNotifications = z.output<typeof ListNotifications>

export const UpdateNotification = z.strictObject({
  status: z.enum(['read', 'archived', 'deleted']),
})
export type UpdateNotification = z.output<typeof UpdateNotification>

export const ReadNotifications = z.strictObject({
  /** Default: all types. */
  type: z.enum(NOTIFICATION_TYPES).optional(),
  /** Notifications that were created after this time stay unread. Default: all become read. */
  until: Moment.optional(),
})
export type ReadNotifications = z.output<typeof ReadNotifications>
