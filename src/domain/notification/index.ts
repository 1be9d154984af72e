export { listNotifications } from './list-notifications.ts'
export type { NotificationView } from './notification-view.ts'
export { type Notice, notify } from './notify.ts'
export { notifyOfEvents } from './notify-of-events.ts'
export { readNotifications } from './read-notifications.ts'
export { NOTIFICATION_TYPES } from './render.ts'
export {
  ListNotifications,
  NOTIFICATION_STATUSES,
  ReadNotifications,
  UpdateNotification,
} from './schemas.ts'
export type { NotificationType, NotificationValues } from './texts.ts'
export { updateNotification } from './update-notification.ts'
