export { migrateQueue } from './migrate-queue.ts'
export { createQueue, type Queue } from './queue.ts'
