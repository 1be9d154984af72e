export { createKey } from './create-key.ts'
export { findKey } from './find-key.ts'
export { getKey, type KeyView, listKeys, renameKey, revokeKey, revokeKeysOf } from './keys.ts'
export { CreateKey, RenameKey } from './schemas.ts'
