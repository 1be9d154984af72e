export { type Notice, notify } from './notify.ts'
export { emitAndNotify } from './notify-of-events.ts'
export {
  listNotifications,
  type NotificationView,
  readNotifications,
  updateNotification,
} from './own-notifications.ts'
export { NOTIFICATION_TYPES } from './render.ts'
export { ListNotifications, ReadNotifications, UpdateNotification } from './schemas.ts'
