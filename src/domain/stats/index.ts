export { createCollectors } from './collectors.ts'
export { createDatabaseCollector } from './database.ts'
