import type { Emitter } from './emitter.ts'
import { emitJavaScript } from './javascript.ts'
import { emitPhp } from './php.ts'
import { emitPython } from './python.ts'

/** All generated folders. A language is added here by its emitter. */
export const EMITTERS: readonly Emitter[] = [
  { folder: 'clients/javascript/src/generated', emit: emitJavaScript },
  { folder: 'clients/php/src/Event', emit: emitPhp('Event') },
  { folder: 'clients/php/src/Model', emit: emitPhp('Model') },
  { folder: 'clients/php/src/Resource', emit: emitPhp('Resource') },
  { folder: 'clients/python/src/fundproof', emit: emitPython },
]
