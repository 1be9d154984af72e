import type { Health } from '../chain-health.ts'

type Trouble = Exclude<Health, 'fine'>

/** The texts of the status page. */
export type StatusTexts = {
  lead: string
  fine: { title: string; text: string }
  late: { title: string; text: string }
  /** The state of a chain in one or two words. */
  health: Record<Health, string>
  /** Why donations on the chain wait, and what happens next. */
  why: Record<Trouble, string>
  testnet: string
  read: string
  final: string
  waiting: string
  moved: string
  usual: string
  about: (time: string) => string
}
