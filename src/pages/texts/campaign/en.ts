export const en = {
  copy: { copy: 'Copy', copied: 'Copied' },
  by: (name: string) => `by ${name}`,
  status: {
    draft: 'Draft',
    active: 'Open',
    funded: 'Target reached',
    completed: 'Completed',
    cancelled: 'Cancelled',
    failed: 'Failed',
  },
  /** What concerns the whole campaign. */
  notices: {
    draft: {
      title: 'This is a draft.',
      text: 'Only you can see it. It takes donations once it is open.',
    },
    unproven: {
      title: 'The account is not proven.',
      text: 'The creator has not shown yet that this account is theirs. Give only if you know where the account comes from.',
    },
    halted: {
      title: 'This chain is paused.',
      text: 'Its nodes contradict what we know of it, so nothing is credited now. No donation is lost, and crediting goes on when the cause is gone.',
    },
    stalled: (since: string) => ({
      title: 'Donations take longer now.',
      text: `We have seen no new final block since ${since}. No donation is lost: each is credited when its block is final.`,
    }),
    funded: {
      title: 'The target is reached.',
      text: 'The campaign is still open, and more donations count.',
    },
    completed: {
      title: 'This campaign is completed.',
      text: 'It takes no more donations.',
    },
    cancelled: {
      title: 'This campaign was cancelled.',
      text: 'It takes no more donations. Please do not send money to its account.',
    },
  },

  raisedOf: (target: string) => `of ${target}, proven on the chain`,
  /** `day` is the day on which the target was reached. */
  targetReached: ({ target, day }: { target: string; day: string }) =>
    `of ${target}, target reached on ${day}`,
  paidBackOf: (received: string) => `paid back of ${received} that came in`,
  direct: 'Went straight to the creator',
  /** Before a time, or how long ago it was. */
  asOf: (block: string) => `All figures as of block ${block},`,
  checkFigures: 'Check them',
  progress: ({ raised, target }: { raised: string; target: string }) =>
    `${raised} raised of ${target}`,
  waiting: (money: string) => `+ ${money} waiting for finality`,
  released: 'Released',
  locked: 'Locked',
  refunded: 'Refunded',
  ends: 'Ends',
  deadline: 'Donate until',
  donate: 'Donate',
  account: (chain: string) => `Account on ${chain}`,
  ownAccount:
    'Donations go straight to this account of the recipient, who is the creator. Fundproof never holds the money: it keeps the books.',
  escrowAccount:
    'An escrow contract holds the money. It pays the recipient a milestone when verifiers have signed it, and if the campaign fails, donors can collect the money.',
  toEscrow: 'How the escrow works',

  share: 'Share',
  tell: {
    title: 'Tell others',
    copyAddress: 'Copy the address of this page',
    copyCode: 'Copy the code',
    mail: 'By mail',
    embed: 'On your own site',
  },

  creator: {
    unnamed: 'The creator',
    since: 'Here since',
    proven: 'Account proven.',
    unproven: 'It is not shown that this account is the creator’s:',
    signed: (day: string) =>
      `On ${day}, the wallet of the recipient signed that it belongs to this creator:`,
    result: ({ raised, verified, all }: { raised: string; verified: string; all: string }) =>
      `${raised} raised, ${verified} of ${all} milestones verified.`,
    unchecked: 'Name and papers are not checked here.',
  },

  milestones: 'Milestones',
  /** Above the milestones of a campaign without an escrow. */
  planOnly: 'The creator’s plan. It holds back no money.',
  milestone: (number: number) => `Milestone ${number}`,
  milestoneStates: {
    /** `missing` is the money until the milestone is reached. */
    pending: (missing: string) => `Needs ${missing} more`,
    /** Of a campaign that has ended. */
    missed: 'Not reached',
    reached: 'Enough money, not verified yet',
    /** Reached in an escrow that has failed. */
    unpaid: 'Not paid',
    verified: 'Verified',
    released: 'Verified and released',
    rejected: 'Evidence not accepted',
  },
  verifiedOn: (day: string) => `Verified on ${day}.`,
  releasedOn: (day: string) => `Released on ${day}.`,
  releaseNow: 'The release can be sent now',
  milestonesInFull: 'All texts and evidence',
  promisedEvidence: 'Evidence',
  evidenceOf: (milestone: string) => `Evidence: ${milestone}`,
  evidenceNotHere: 'The links were not sent here. The chain shows only their fingerprint.',
  fingerprint: 'Fingerprint',
  fingerprintOf:
    'Of this list of links and texts, not of the files behind them. Each signature names it.',
  signedBy: 'Signed by',
  unnamed: 'A verifier without a public name',
  signature: 'Signature',
  signedOnChain: 'The signature is in the transaction.',
  paidBy: 'Payout',
  checkSignatures: 'All data to check the signatures',
  impact: {
    title: 'Impact',
    verified: 'Verified',
    reported: 'Reported by the creator, not verified',
    before: (amount: string) => `before: ${amount}`,
    target: (amount: string) => `target: ${amount}`,
    direct: 'People, directly',
    indirect: 'People, indirectly',
  },

  donations: 'Donations',
  noDonations: 'No donation yet. Be the first.',
  noDonationsOfState: 'No donation has this state.',
  allDonations: 'All donations',
  state: 'State',
  when: 'When',
  amount: 'Amount',
  /** The states of a donation: its status, its reason and its proof. */
  donationStates: {
    promised: 'Promised',
    pending: 'Waiting',
    confirming: 'Confirming',
    unpriced: 'Waiting for a price',
    completed: 'Credited',
    proven: 'Proven',
    worthless: 'Too small to count',
    cancelled: 'Cancelled',
    stopped: 'Ended',
    moved: 'Moved',
    failed: 'Failed',
    expired: 'Expired',
    duplicate: 'Duplicate',
    reversed: 'Reversed',
    partly_refunded: 'Partly refunded',
    refunded: 'Refunded',
  },
  confirming: (confirmations: string, required: string) =>
    `Confirming, ${confirmations} of ${required}`,
  anyState: 'All states',
  filter: 'Show',
  newest: 'Newest',
  older: 'Older',
  pages: 'Pages',

  updates: 'Updates',
  noUpdates: 'No update yet.',
  allUpdates: 'All updates',
  media: (number: number) => `Attachment ${number}`,
  changedOn: (day: string) => `Changed on ${day}`,

  ledger: 'Ledger',
  ledgerIntro:
    'Every movement of this campaign’s money. An entry is never changed or deleted: a correction is a new entry.',
  noEntries: 'No entry yet. The first one comes with the first proven donation.',
  entries: 'Entries',
  entry: 'Entry',
  entryKinds: {
    deposit: 'Deposit',
    donation: 'Donation',
    conversion: 'Conversion',
    reversal: 'Reversal',
    release: 'Release',
    payout: 'Payout',
    refund: 'Refund',
  },
  reverses: (entry: string) => `Takes back entry ${entry}`,
  transaction: 'Transaction',
  seal: 'Seal',
  sealIntro:
    'New entries are sealed with a signature every few seconds. Keep the newest head: with it, anyone can show later that no sealed entry was changed.',
  noSeal: 'No entry is sealed yet.',
  sealed: (entries: string, total: string) => `Sealed entries: ${entries} of ${total}.`,
  head: 'Head',
  globalHead: 'Head of all campaigns',
  sealNumber: 'Seal number',
  sealedAt: 'Sealed',
  signingKey: 'Signing key',
  keepHead: 'Download the head',
  sums: 'Sums',
  cameIn: 'Came in',
  wentOut: 'Went out',
  wentStraight: 'Went straight to the creator',
  heldInEscrow: 'Still in the escrow',
  heldHere: 'Held by Fundproof',
  asOfBlock: (block: string) => `As of block ${block}.`,
  compareBalance: 'Compare it with the balance of the contract:',
  donationIsPayout:
    'There is no escrow: the transaction of each donation paid the creator. The account:',
  allEntries: 'All entries with debit and credit, as JSON',
  noTransaction: 'None: the creator had the money already',
  checkHead: 'Check a head that I kept',
  backToCampaign: 'Back to the campaign',
}

/** The texts of a campaign's pages. Amounts arrive with their currency, counts as numbers. */
export type CampaignTexts = typeof en
