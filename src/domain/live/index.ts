export { campaignVersion, donationVersion } from './versions.ts'
