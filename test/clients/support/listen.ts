export { listen } from '../../support/listen.ts'
