export { createKey, type KeyMaker } from './create-key.ts'
export { findKey, type KeyOwner } from './find-key.ts'
export { getKey, type KeyView, listKeys, renameKey, revokeKey, revokeKeysOf } from './keys.ts'
export { CreateKey, RenameKey } from './schemas.ts'
