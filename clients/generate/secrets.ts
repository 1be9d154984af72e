import type { Field, ObjectModel } from './model.ts'

const SECRETS = /^(accessToken|refreshToken|token|key|secret|privateKey)$/
/** Objects whose field `token` is the public address of an asset. */
const PUBLIC = new Set(['ChainAsset', 'Payment'])

/** Whether a field of an answer is a secret, which no dump of an object may show. */
export const isSecret = ({ name, out }: ObjectModel, field: Field): boolean =>
  out && SECRETS.test(field.name) && !(field.name === 'token' && PUBLIC.has(name))
