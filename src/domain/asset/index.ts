export { readAssets } from './read-assets.ts'
export { refuseMissing } from './refuse-missing.ts'
export { storeAssets } from './store-assets.ts'
