export { syncAssets } from './sync-assets.ts'
