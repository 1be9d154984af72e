import { z } from 'zod'
import {
  ListNotifications,
  listNotifications,
  NOTIFICATION_TYPES,
  ReadNotifications,
  readNotifications,
  UpdateNotification,
  updateNotification,
} from '../../domain/notification/index.ts'
import { NOTIFICATION_STATUSES } from '../../kernel/statuses.ts'
import { EXAMPLE_TIME } from '../openapi/samples.ts'
import { type Operation, operation } from '../operation.ts'
import { pageAnswer } from '../paging.ts'
import { Id, IdParams, Pagination, Success, Time } from '../schemas.ts'

const Notification = z
  .object({
    id: Id,
    type: z.enum(NOTIFICATION_TYPES),
    status: z.enum(NOTIFICATION_STATUSES),
    title: z.string(),
    message: z.string().meta({ description: 'In the language of its user.' }),
    data: z.record(z.string(), z.string()).meta({ description: 'Ids of what it is about.' }),
    createdAt: Time,
    updatedAt: Time,
  })
  .meta({ id: 'UserNotification' })

export const notificationOperations = (): Operation[] => [
  operation({
    method: 'get',
    path: '/api/notifications',
    operationId: 'listNotifications',
    summary: 'Your notifications, newest first; deleted ones only by `status`.',
    tag: 'notifications',
    auth: 'user',
    query: ListNotifications,
    answers: {
      200: {
        description: 'One page.',
        schema: z.object({
          success: Success,
          notifications: z.array(Notification),
          pagination: Pagination,
        }),
      },
    },
    errors: ['invalid_cursor'],
    handler: async ({ ctx, query, url }) =>
      pageAnswer('notifications', await listNotifications(ctx, query), url, (each) => each),
  }),
  operation({
    method: 'put',
    path: '/api/notifications/:id',
    operationId: 'changeNotification',
    summary: 'Mark one of your notifications as read, archived or deleted.',
    tag: 'notifications',
    auth: 'verified',
    scope: 'notifications:write',
    params: IdParams,
    body: UpdateNotification,
    examples: { minimal: { status: 'read' } },
    answers: {
      200: {
        description: 'As it is now.',
        schema: z.object({ success: Success, notification: Notification }),
      },
    },
    handler: async ({ ctx, params, body }) => ({
      status: 200,
      body: { success: true, notification: await updateNotification(ctx, params.id, body) },
    }),
  }),
  operation({
    method: 'post',
    path: '/api/notifications/read',
    operationId: 'readNotifications',
    summary: 'Mark all your unread notifications as read, or those of one type or up to a moment.',
    tag: 'notifications',
    auth: 'verified',
    scope: 'notifications:write',
    body: ReadNotifications,
    examples: {
      minimal: {},
      full: { type: 'donation_completed', until: EXAMPLE_TIME },
    },
    answers: {
      200: {
        description: 'How many were marked.',
        schema: z.object({ success: Success, marked: z.int() }),
      },
    },
    handler: async ({ ctx, body }) => ({
      status: 200,
      body: { success: true, marked: await readNotifications(ctx, body) },
    }),
  }),
]
