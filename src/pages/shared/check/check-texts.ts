import type { SourceProblem } from './block-source.ts'
import type { Verdict } from './verdict.ts'
import type { Word } from './words.ts'

/** The steps of a check: those of the verifier, and the two that the page adds. */
export type StepName =
  | 'format'
  | 'header'
  | 'chain'
  | 'receipt'
  | 'transaction'
  | 'escrow'
  | 'payment'
  | 'balance'
  | 'level'
  | 'entries'
  | 'inclusion'
  | 'head'
  | 'signature'
  | 'page'
  | 'kept'

/** The sentences of the check in the browser. `{name}` in a sentence is a place for a value. */
export type CheckTexts = {
  /** The button that starts, and the same button after the first result. */
  start: string
  again: string
  reading: string
  /** Places: names, block. */
  asking: string
  notReady: string
  noAnswer: string
  noJavaScript: string
  /** Places: block, source, hash, level. */
  verdicts: Record<Verdict, string>
  stepsTitle: string
  steps: Record<StepName, string>
  holds: string
  fails: string
  unchecked: string
  wordsTitle: string
  /** Places: names, block, chain. */
  words: Record<Word, string>
  /** The place is `key`. */
  signedBy: string
  compare: string
  compareHint: string
  /** The place is `file`. */
  comparedWith: string
  /** The file is neither a key nor a head. */
  unknownFile: string
  /** Places: name, chain. */
  problems: Record<SourceProblem, string>
  noWallet: string
  switchTo: string
  unnamedWallet: string
  hashLabel: string
  hashHint: string
  hashWrong: string
  checkHash: string
  explorer: string
  you: string
  accept: string
  facts: {
    title: string
    amount: string
    donation: string
    account: string
    sender: string
    unknownSender: string
    transaction: string
    block: string
    chain: string
  }
  desk: {
    file: string
    fileHint: string
    paste: string
    node: string
    nodeHint: string
    nodeWrong: string
    notJson: string
  }
}
