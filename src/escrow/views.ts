import type { Hex } from '../../contracts-abi/index.ts'
import { ESCROW_ABI } from './abi.ts'

/** The data of a call that reads the round of a milestone (from 0). */
export const roundData = (milestone: number): Hex =>
  ESCROW_ABI.encodeFunctionData('round', [milestone]) as Hex

/** Reads the answer to {@link roundData}. An escrow without code is in round 0. */
export const readRound = (answer: string): number =>
  answer === '0x' ? 0 : Number(ESCROW_ABI.decodeFunctionResult('round', answer)[0])
