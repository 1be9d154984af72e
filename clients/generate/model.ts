export { bodyFields, createModel } from './model/create-model.ts'
export type * from './model/types.ts'
