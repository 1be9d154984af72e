export { campaignVersion } from './campaign-version.ts'
export { donationVersion } from './donation-version.ts'
