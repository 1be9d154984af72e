export { readAssets } from './read-assets.ts'
export { storeAssets } from './store-assets.ts'
