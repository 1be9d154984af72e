export const en = {
  lead: 'Fundproof reads each chain itself, and credits a donation as soon as its block is final.',
  fine: { title: 'All chains are followed', text: 'Their newest blocks are read.' },
  late: {
    title: 'Some donations are credited late',
    text: 'Nothing is lost. What has arrived on the chain is credited as soon as the cause is gone.',
  },
  /** The state of a chain in one or two words. */
  health: {
    fine: 'Up to date',
    unread: 'Not read yet',
    behind: 'Catching up',
    notFinal: 'Not final',
    nodes: 'Nodes fail',
    stalled: 'Not read',
    halted: 'Stopped',
  },
  /** Why donations on the chain wait, and what happens next. */
  why: {
    unread: 'This chain has not been read yet. Reading starts by itself.',
    behind: 'Older blocks are still being read. Newer donations follow after them.',
    notFinal: 'The chain itself has made no block final for a long time. We wait until it does.',
    nodes: 'The nodes that we ask do not give answers that we can prove. We keep asking.',
    stalled: 'We have not read new blocks for a while. The operator has been alerted.',
    halted:
      'The nodes contradict a final block or our settings. Nothing is credited until the operator has found the cause.',
  },
  testnet: 'Test network',
  read: 'Newest block read',
  final: 'Newest final block',
  waiting: 'Blocks that wait to be final',
  moved: 'Last final block',
  usual: 'Usual time until a block is final',
  about: (time: string) => `about ${time}`,
}

/** The texts of the status page. */
export type StatusTexts = typeof en
