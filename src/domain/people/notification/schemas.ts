import { z } from 'zod'
import { NOTIFICATION_STATUSES } from '../../../kernel/statuses.ts'
import { Moment, PageQuery, severalOf } from '../../shared/index.ts'
import { NOTIFICATION_TYPES } from './render.ts'

export const ListNotifications = PageQuery.extend({
  /** Without this field, the list has all notifications except deleted notifications. */
  status: severalOf(NOTIFICATION_STATUSES),
  type: z.enum(NOTIFICATION_TYPES).optional(),
})
export type ListNotifications = z.output<typeof ListNotifications>

export const UpdateNotification = z.strictObject({
  status: z.enum(['read', 'archived', 'deleted']),
})
export type UpdateNotification = z.output<typeof UpdateNotification>

export const ReadNotifications = z.strictObject({
  /** Without this field, notifications of all types become read. */
  type: z.enum(NOTIFICATION_TYPES).optional(),
  /** Only notifications created up to this time become read. The default is no limit. */
  until: Moment.optional(),
})
export type ReadNotifications = z.output<typeof ReadNotifications>
