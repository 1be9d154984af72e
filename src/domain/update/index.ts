export { getUpdate, listUpdates } from './list-updates.ts'
export { postUpdate } from './post-update.ts'
export { ListUpdates, PostUpdate } from './schemas.ts'
export type { UpdateView } from './update-view.ts'
