/** The context of a domain function, for code that does not import from `src/db`. */
export type { Context, Wake, WakeTopic } from '../db/context.ts'
