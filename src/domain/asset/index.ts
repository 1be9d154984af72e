export { readAssets, refuseMissing, storeAssets } from './store-assets.ts'
