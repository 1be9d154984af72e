import type { Emitter } from './emitter.ts'
import { emitJavaScript } from './javascript.ts'

/** All generated folders. A language is added here by its emitter. */
export const EMITTERS: readonly Emitter[] = [
  { folder: 'clients/javascript/src/generated', emit: emitJavaScript },
]
