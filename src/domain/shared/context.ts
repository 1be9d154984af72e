/** The context of a domain function. Code outside the domain imports this type from here. */
export type { Context, Wake, WakeTopic } from '../../db/context.ts'
