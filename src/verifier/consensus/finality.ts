import { integer, record } from '../shape.ts'
import { type Descent, descentFields } from './ancestors.ts'
import { type FinalityUpdate, readFinalityUpdate } from './messages.ts'

/** The part of a proof that shows a block to be final, to a reader who trusts a checkpoint. */
export type Finality = Descent & {
  /** The slot of an earlier final block. With the root of that block, the archive can begin. */
  beginSlot: number
  /** The committee makes a block final that is the block of the donation or a later one. */
  update: FinalityUpdate
}

export const readFinality = record<Finality>({
  beginSlot: integer(0),
  update: readFinalityUpdate,
  ...descentFields,
})
