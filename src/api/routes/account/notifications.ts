import { z } from 'zod'
import {
  ListNotifications,
  listNotifications,
  NOTIFICATION_TYPES,
  ReadNotifications,
  readNotifications,
  UpdateNotification,
  updateNotification,
} from '../../../domain/people/index.ts'
import { pageAnswer, pageOf, succeed, success } from '../../../edge/answer/answers.ts'
import { route } from '../../../edge/route.ts'
import { component, Id, Time } from '../../../edge/schemas.ts'
import { NOTIFICATION_STATUSES } from '../../../kernel/statuses.ts'
import { EXAMPLE_TIME } from '../../openapi/samples.ts'

const Notification = component('UserNotification', {
  id: Id,
  type: z.enum(NOTIFICATION_TYPES),
  status: z.enum(NOTIFICATION_STATUSES),
  title: z.string(),
  message: z.string().describe('A text in the language of its user.'),
  data: z.record(z.string(), z.string()).describe('Ids of the related resources.'),
  createdAt: Time,
  updatedAt: Time,
})

export const notificationOperations = () => [
  route.get('/api/notifications', {
    operationId: 'listNotifications',
    summary:
      'Your notifications, newest first. Deleted notifications are listed only with `status`.',
    auth: 'user',
    query: ListNotifications,
    answers: { 200: pageOf('notifications', Notification) },
    handler: async ({ ctx, query, url }) =>
      pageAnswer('notifications', await listNotifications(ctx, query), url),
  }),
  route.put('/api/notifications/:id', {
    operationId: 'changeNotification',
    summary: 'Mark one of your notifications as read, archived or deleted.',
    auth: 'verified',
    scope: 'notifications:write',
    body: UpdateNotification,
    examples: { minimal: { status: 'read' } },
    answers: { 200: success('The changed notification.', { notification: Notification }) },
    handler: async ({ ctx, params, body }) =>
      succeed({ notification: await updateNotification(ctx, params.id, body) }),
  }),
  route.post('/api/notifications/read', {
    operationId: 'readNotifications',
    summary: 'Mark your unread notifications as read: all, or of one type, or up to a time.',
    auth: 'verified',
    scope: 'notifications:write',
    body: ReadNotifications,
    examples: {
      minimal: {},
      full: { type: 'donation_completed', until: EXAMPLE_TIME },
    },
    answers: { 200: success('The number of marked notifications.', { marked: z.int() }) },
    handler: async ({ ctx, body }) => succeed({ marked: await readNotifications(ctx, body) }),
  }),
]
