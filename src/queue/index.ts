export { migrateQueue } from './migrate-queue.ts'
export { createQueue, type Queue, type QueueOptions } from './queue.ts'
