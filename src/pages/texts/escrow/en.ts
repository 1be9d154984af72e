export const en = {
  title: 'Escrow',
  intro:
    'A contract on the chain holds the money of this campaign. It pays a milestone when verifiers have signed it, and if the campaign fails, donors can collect the money. Fundproof has no key to it. The contract has not been audited: give no more than you can lose.',
  states: {
    funding: {
      title: 'The escrow collects money.',
      text: 'Nothing can be released before the target is reached. If it is not reached in time, donors can collect everything.',
    },
    active: {
      title: 'The target is reached.',
      text: 'Verifiers now decide about each milestone. Donors can collect what is not released in time.',
    },
    done: {
      title: 'All milestones are released.',
      text: 'The work of the escrow is done.',
    },
  },
  /** Why the escrow gives money back. */
  reasons: {
    surplus: 'All milestones are released, and donors share what is left.',
    target_missed: 'The target was not reached in time.',
    expired: 'The time for releases is over.',
    cancelled: 'The creator cancelled the campaign.',
    terminated: 'The verifiers ended the campaign.',
  },

  /** Directly above each button that leads to giving. */
  audit: 'Not audited: give no more than you can lose.',
  /** In the same place, without an escrow. */
  straight: 'The creator has the money at once, and keeps it below the target. No refund.',
  /** The money of the contract in parts. A part has a sentence about what can happen next. */
  money: {
    title: 'Where the money is',
    refundable: 'Refundable now',
    sum: ({ parts, total }: { parts: string; total: string }) =>
      `${parts} = ${total}, all that came in.`,
    unassigned: (money: string) => `${money} of it belong to no credited donation.`,
    releasedNone: 'No milestone is released.',
    releasedSome: ({ paid, all }: { paid: string; all: string }) =>
      `Released milestones: ${paid} of ${all}.`,
    lockedNone: 'Nothing is left in the contract.',
    lockedFunding: 'The contract releases nothing before the target is reached.',
    lockedFor: (money: string) => `${money} are for milestones that are not released yet.`,
    lockedAbove: {
      recipient: (money: string) => `${money} above the milestones go to the recipient after them.`,
      donors: (money: string) => `${money} above the milestones go back to the donors after them.`,
    },
    ifMissed: (day: string) =>
      `If the target is not reached by ${day}, donors can collect everything.`,
    ifUnpaid: (day: string) => `Donors can collect what is not released by ${day}.`,
    collect:
      'For each refund, a person sends a transaction and pays the fee of the network. Plain transfers also need signatures of verifiers.',
    due: 'The time is over. Any person can open the refunds now.',
    owedNone: 'Nothing is owed to the donors.',
    collectable: (money: string) => `${money} can be collected now.`,
    unsigned: (money: string) =>
      `${money} came by plain transfer and need signatures of verifiers first.`,
    dust: 'Left by rounding. No donor can get it.',
    backNone: 'Nothing is paid back yet.',
    backSome: 'It went to donors, or to accounts that verifiers have signed.',
  },
  /** What the campaign's page says once the escrow gives money back. */
  ended: {
    waiting: {
      title: 'Get your share back.',
      text: ({ owed, back }: { owed: string; back: string }) =>
        `${owed} ${back} are paid back. Open your donation to see how you get your share. Please do not give more.`,
      find: 'I gave without this site: find my refund',
    },
    everything: 'Nothing is left to pay back.',
    paid: ({ back, total }: { back: string; total: string }) =>
      `The escrow has paid back ${back} of ${total}. Please do not give more.`,
    empty: {
      title: 'The campaign ended before any money came in.',
      text: 'There is nothing to pay back. Please do not send money.',
    },
  },

  terms: 'Terms',
  termsNote:
    'The address of the contract is computed from these terms, so no person can change them.',
  contract: 'Contract',
  notDeployed: 'It is not on the chain yet. It can get money already, because the terms are fixed.',
  recipient: 'Recipient',
  recipientNote: 'The only account that milestones pay. It alone may cancel.',
  token: 'Token',
  deadline: 'Donations until',
  deadlineNote:
    'Donations also end with the first release. Do not pay later: the contract then records no donors, and verifiers must sign the return.',
  activateBy: 'Target reached by',
  activateByNote: 'If the escrow is not activated by then, it gives the money back.',
  expiry: 'Releases until',
  expiryNote: 'Donors can collect what is left afterwards.',
  verifiers: 'Verifiers',
  verifiersNote:
    'Each verifier alone can stop every milestone until the time for releases is over. Then donors can collect the money.',
  quorum: 'Verifiers needed to end the campaign or to sign returns',
  /** Both are numbers as text. */
  quorumOf: (quorum: string, verifiers: string) => `${quorum} of ${verifiers}`,
  surplus: 'Money that is left',
  surplusTo: { recipient: 'goes to the recipient', donors: 'goes back to the donors' },
  codeProven: 'The code is proven since',
  codeNotProven: 'not proven yet',

  /** The sum of the milestones that one verifier can release. */
  oneVerifier: (money: string) =>
    `One verifier alone can release ${money}, with a signature for each milestone.`,
  /** After `oneVerifier`, if the surplus is the recipient's. */
  alsoLeft: 'Then the recipient also gets what is left.',
  milestone: 'Milestone',
  signatures: 'Signatures needed',

  refunds: 'Refunds',
  /** After the last milestone. */
  assetReturns:
    'Transfers in another asset go back when enough verifiers have signed their return.',
  /** The search for the refunds of an account. */
  search: {
    lead: 'Did you pay the contract without this site? Then search by the account that paid.',
    account: 'Address of the account that paid',
    find: 'Find my refund',
    none: 'We know no refund of this account.',
    roads: { on_chain: 'Recorded donations', by_verifiers: 'Plain transfer' },
  },

  transactions: 'Transactions that can be sent now',
  transactionsIntro:
    'The sender pays only the fee of the network. The money goes to the recipient, or to the accounts of the refunds.',
  noTransactions: 'No transaction is possible now.',
  actions: {
    deploy: {
      title: 'Put the contract on the chain',
      text: 'Any account may send it. It changes nothing about the terms.',
    },
    activate: {
      title: 'Activate the escrow',
      text: 'Needed if the last part of the target came by a plain transfer. Any account may send it.',
    },
    close: {
      title: 'Open the refunds',
      text: 'After this transaction donors get back what is left. Any account may send it.',
    },
    cancel: {
      title: 'Cancel the campaign',
      text: 'Only the recipient may send it. Donors get back what is left. It cannot be undone.',
    },
    releaseSurplus: {
      title: 'Pay what is left to the recipient',
      text: 'All milestones are released. Any account may send it.',
    },
    release: {
      title: 'Release',
      text: 'Verifiers have signed this milestone. The money goes to the recipient. Any account may send it.',
    },
  },

  transaction: {
    data: 'Transaction data',
    chain: 'Network',
    to: 'To',
    payload: 'Data',
    value: 'Value',
    from: 'From',
    validUntil: 'Valid until',
    call: (number: string) => `Transaction ${number}`,
    works: 'A node has tried it: it works now. Fee of the network: {fee}.',
    fails: 'A node has tried it: it would fail now.',
    untried: 'No node could try it now.',
  },
  send: {
    send: 'Send with my wallet',
    choose: 'Which wallet should send it?',
    browserWallet: 'Browser wallet',
    working: 'Confirm it in your wallet. If you see nothing, click the icon of the wallet.',
    sent: 'Sent. When the block is final, the amounts above change by themselves.',
    again: 'Try again',
    problems: {
      rejected: 'You have rejected it in your wallet. Nothing was sent.',
      busy: 'Your wallet has a request open. Click its icon, answer it, and try again.',
      locked: 'Your wallet is locked or shows no account. Unlock it and try again.',
      offline: 'Your wallet is not connected to its network. Try again.',
      'unknown-chain':
        'Your wallet uses another network. Choose the right one in it and try again.',
      'no-fee-funds': 'Your wallet has too little for the fee of the network.',
      unsupported: 'Your wallet cannot do this.',
      failed: 'The wallet could not send it. Nothing was sent, or the transaction has failed.',
      'no-wallet':
        'No wallet is in this browser. Open this page in the browser of a wallet app, or send the transaction data in another way.',
      'wrong-account':
        'Another account is selected in your wallet. Only the account under “From” may send this.',
    },
  },
}

/** The texts of the page of an escrow, and of ready transactions. */
export type EscrowTexts = typeof en
