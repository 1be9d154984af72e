import './tsx-loader.ts'

// Imported after the loader, which must run before Node links a `.tsx` file.
export const { createPages } = await import('./create-pages.ts')
export { createLive } from './live/index.ts'
export type { PageDeps } from './page.ts'
