export { getRejection } from './get-rejection.ts'
export { getRelease } from './get-release.ts'
export { PrepareRejection, prepareRejection } from './prepare-rejection.ts'
export { remindOfReleases } from './remind-of-releases.ts'
