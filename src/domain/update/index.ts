export { getUpdate, type ListedUpdateView, listUpdates, type UpdateView } from './list-updates.ts'
export { ChangeUpdate, ListUpdates, PostUpdate } from './schemas.ts'
export { changeUpdate, deleteUpdate, postUpdate } from './write-updates.ts'
