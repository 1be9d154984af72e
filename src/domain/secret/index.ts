export { rotateSecret } from './rotate-secret.ts'
