export { needsProof, readAssets, refuseMissing, storeAssets } from './store-assets.ts'
