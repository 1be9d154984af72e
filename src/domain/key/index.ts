export {
  createKey,
  findKey,
  getKey,
  type KeyView,
  listKeys,
  renameKey,
  revokeKey,
  revokeKeysOf,
} from './keys.ts'
export { CreateKey, RenameKey } from './schemas.ts'
