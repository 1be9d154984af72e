/** The context of a verb, for rooms that must not know the database behind it. */
export type { Context, Wake, WakeTopic } from '../db/context.ts'
