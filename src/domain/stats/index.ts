export { createCollectors, createDatabaseCollector } from './collectors.ts'
