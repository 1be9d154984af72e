export const en = {
  title: (campaign: string) => `Donate to ${campaign}`,
  errors: 'Please check this',
  cancelled: 'The donation is cancelled. You have paid nothing.',
  refusals: {
    amount: 'Enter an amount such as 25 or 12.50.',
    currency: 'This campaign does not take this currency.',
    wallet: 'Enter the address of the wallet: 0x and 40 letters or digits.',
    walletName:
      'Names such as jonas.eth do not work here. Enter the address itself: 0x and 40 letters or digits. Your wallet shows it where you receive money.',
    ownAccount: 'This is the account of the campaign itself. Enter the wallet that pays.',
    name: 'The name has at most 80 characters, without line breaks.',
    message: 'The message has at most 280 characters, without line breaks.',
    transaction: 'Enter the hash of a transaction: 0x and 64 letters or digits.',
    closed: 'This campaign does not take donations now.',
    blocked: 'The law forbids us to take part in transfers with this wallet.',
    tooMany:
      'Too many donations already wait for a payment of this wallet. Pay or cancel one of them, or sign in with the wallet.',
    limited: 'Too many donations came from your network. Try again in some minutes.',
    unverified: 'Confirm your email address first. We have sent you a code.',
    claimed:
      'Another donation already has this payment. If you sent it, sign in with the sending wallet.',
    early: 'This payment is older than the campaign, so it is not a donation to it.',
    unknownPayment:
      'No block that we know has this payment yet. Enter its amount and its wallet, and we look for it.',
    paidOrCancelled: 'This donation is already paid or cancelled.',
    unavailable: 'We cannot check this now. Nothing is lost. Try again in a minute.',
    other: 'This did not work. Check the form and try again.',
  },
  currency: 'Currency',
  suggestions: 'Suggested amounts',
  countsAs: (other: string, currency: string) =>
    `${other} counts in ${currency}, at the price of the block that has your payment.`,
  rate: ({ one, about }: { one: string; about: string }) => `${one} is now about ${about}.`,
  dollar: (one: string) => `USDC is money on a blockchain. ${one} is worth about 1 US dollar.`,
  exchange:
    'Is your money on an exchange? Move it to your own wallet first: an exchange pays from a wallet that is not yours, so we would not recognise your payment.',
  optional: '(optional)',
  slow: {
    text: 'The server has not answered for 8 seconds. It may have got what you sent.',
    again: 'Open the page again',
  },
  words: 'Your words',
  name: 'Name',
  message: 'Message',
  wordsHint: 'Everyone can read both. Leave both empty to stay anonymous.',
  alreadyPaid: 'I have already paid',
  /** `escrow` is the reason if the escrow of an open campaign records no more donors. */
  closed: {
    title: 'This campaign takes no donations now',
    what: 'Do not send money to its account.',
    escrow:
      'The escrow of this campaign takes no recorded donations any more. Do not send money to it: verifiers would have to sign its return.',
  },
  summary: {
    title: 'Your donation goes to',
    raised: ({ raised, target }: { raised: string; target: string }) =>
      `${raised} of ${target} raised`,
    account: 'Account',
    network: 'Network',
    direct: 'The money goes straight to this account. Fundproof never holds it.',
    escrow: ({ deadline }: { deadline: string }) =>
      `An escrow contract holds the money until verifiers approve a milestone. If the target is not reached by ${deadline}, donors can collect it.`,
  },
  copy: { address: 'Copy the address', amount: 'Copy the amount', copied: 'Copied' },
  /** Returns the texts of the panel. `network` and `coin` belong to the campaign's chain. */
  panel: ({
    network,
    networkId,
    coin,
    account,
  }: {
    network: string
    networkId: string
    coin: string
    account: string
  }) => ({
    legend: 'How do you want to pay?',
    looking: 'Looking for wallets in this browser…',
    noWallet:
      'This browser has no wallet. A wallet is an app or an extension that holds your money.',
    byPhone:
      'Enter the address of your wallet. The next page opens a wallet app on this phone, or shows a code for another device.',
    openIn: 'Open this page in the browser of a wallet app:',
    ownWallet:
      'Pay from your own wallet. The escrow records you, so you need no signature of a person for a refund. Is your money on an exchange? Move it to your own wallet first, because a transfer from an exchange goes back to the exchange.',
    browserWallet: 'Browser wallet',
    phone: 'Wallet app or another device',
    phoneHint: 'You get a link for a wallet app, a code to scan, and all data as text.',
    address: 'Address of the wallet that pays',
    addressHint:
      'It begins with 0x; a name such as jonas.eth does not work. By this address we recognise your payment.',
    button: {
      show: 'Show how to pay',
      connect: 'Connect {wallet}',
      connecting: 'Waiting for {wallet}…',
      switch: `Switch to ${network}`,
      switching: 'Waiting for {wallet}…',
      pay: 'Give {amount}',
      checking: 'Checking the balance…',
      intent: 'Recording your donation…',
      confirm: 'Confirm in {wallet}…',
      sent: 'Sent',
    },
    cancel: 'Stop waiting',
    startAgain: 'Cancel and start again',
    connected: 'Connected with {from}.',
    switchHint: `Your wallet uses another network. This campaign is on ${network}.`,
    confirmHint: `Check that your wallet shows {amount}, then confirm. The money goes to ${account}.`,
    slow: 'Your wallet has an open request. Click the icon of the wallet in your browser.',
    unanswered:
      'We have had no answer for 8 seconds. You have paid nothing. Wait, or stop and try again.',
    sent: 'Your payment is sent. The page of your donation opens now.',
    signers:
      'Your wallet is a contract, so other people may have to confirm too. You can close this page: your donation counts when a block has the payment.',
    toDonation: 'Go to your donation',
    problems: {
      rejected: 'You refused in your wallet. You have paid nothing. You can try again.',
      busy: 'Your wallet has an older open request. Click its icon, answer the request, and try again.',
      locked: 'Your wallet is locked, or shows no account. Unlock it and try again.',
      offline: 'Your wallet has no connection to its network. Check the wallet and try again.',
      'unknown-chain': `Your wallet did not switch. Choose ${network} (network ${networkId}) in the wallet yourself, then press the button again.`,
      'no-fee-funds': `This account needs some ${coin} for the fee of the network. You have paid nothing.`,
      unsupported: 'Your wallet cannot do this. Choose another wallet.',
      failed: 'The wallet reported an error. Look in the wallet whether it has sent a payment.',
      'no-funds': 'This account has not enough {currency}. You have paid nothing.',
      'wrong-account':
        'This donation waits for a payment from {from}. Choose this account in your wallet, or start again.',
      'perhaps-paid':
        'Your wallet was asked for this payment before, and this page has not seen the answer. Look in your wallet first. Press the button again only if it has sent nothing.',
      blocked:
        'The law forbids us to take part in transfers with this wallet. You have paid nothing.',
      closed: 'This campaign has just stopped taking donations. You have paid nothing.',
      'too-many':
        'Too many donations already wait for a payment of this wallet. Pay or cancel one of them first.',
      limited: 'Too many donations came from your network. Try again in some minutes.',
      refused: 'Check what you entered. You have paid nothing.',
      unreachable: 'We cannot be reached now. You have paid nothing. Try again in a minute.',
    },
    walletSays: 'More about this error',
  }),
  /** The requests of the wallet, for an escrow. */
  escrow: {
    /** Before the donation is recorded. `isFirst`: the contract is not on the chain yet. */
    before: ({ isFirst }: { isFirst: boolean }) =>
      `The next page lists each request of your wallet, with its fee, before the wallet asks. You pay the fees of the network.${isFirst ? ' The contract is not on the chain yet, so you pay for that too.' : ''} Fundproof takes nothing.`,
    next: 'Next: see what your wallet asks',
    confirmHint:
      'Compare each request of your wallet with the list above. Refuse each one that differs.',
    rejected:
      'You refused in your wallet. You have given nothing. Only the fees of requests that you confirmed before are spent.',
    title: (count: number) =>
      count === 1 ? 'Your wallet asks once' : `Your wallet asks ${count} times`,
    lead: 'Refuse a request that differs from what you read here. Until you confirm the last request, you have given nothing.',
    of: ({ step, all }: { step: number; all: number }) => `Request ${step} of ${all}`,
    kinds: {
      permission: {
        title: 'Sign a permission',
        what: 'It lets the escrow, and no other account, take this amount once.',
      },
      deploy: {
        title: 'Put the contract on the chain',
        what: 'It is not on the chain yet, so you pay for that too. The terms are fixed already.',
      },
      approve: {
        title: 'Allow the amount',
        what: 'It lets the escrow, and no other account, take this amount.',
      },
      give: {
        title: 'Give',
        what: 'The escrow takes the money and records you as the donor. If the campaign fails, you can collect your share, and no verifier has to sign.',
      },
      batch: {
        title: 'Give by one request',
        what: 'Your wallet sends these calls together. The escrow takes the money and records you as the donor.',
      },
    },
    moves: (amount: string) => `Moves ${amount}.`,
    movesNone: 'Moves no money.',
    fee: 'Fee of the network:',
    noFee: 'No fee.',
    shows: 'Your wallet shows',
    kind: 'Kind',
    signature: 'Signature request',
    transaction: 'Transaction',
    calls: 'Several calls in one request',
    action: 'Action',
    to: 'To',
    value: 'Value',
    limit: 'Limit',
    until: 'Valid until',
    parties: { escrow: 'the escrow', factory: 'the factory of escrows', token: 'the token' },
    units: (amount: string) => `This is ${amount}, in the smallest units of the token.`,
    inside: (amount: string) => `The ${amount} move inside the call.`,
    costs: {
      title: 'What it costs',
      donation: 'Donation',
      network: 'Fees of the network, paid by you',
      own: 'Fee of Fundproof',
      none: 'none',
      note: 'The fees are an estimate. Your wallet shows them before you confirm.',
    },
    gas: (gas: string) => `about ${gas} gas`,
    about: (fee: string) => `about ${fee}`,
  },
  /** Whose a payment is. */
  whoseTitle: 'If another person names my payment',
  whose:
    'A payment belongs to the first person who named its wallet or its hash here. After that, only two things move it: the claim link of a guest, or a signature of the wallet that paid.',
  how: {
    title: 'How to pay',
    send: ({ amount, network }: { amount: string; network: string }) =>
      `Send exactly ${amount} on ${network}. The donation counts when its payment is final.`,
    contested: ({ amount }: { amount: string }) =>
      `Another donation also waits for a payment from this wallet. Send exactly ${amount}, with every digit. If your payment counts for the other donation, sign in with the wallet that paid, and record the payment with “I have already paid”.`,
    fromWallet: 'By this wallet we recognise your payment.',
    fromNamed: 'The wallet that was named when this donation was recorded',
    token: 'Token',
    account: 'To the account',
    wallet: 'From the wallet',
    notSent: 'Not sent yet? How to pay',
    openPhone: 'Open in a wallet on this phone',
    checkThere: ({
      amount,
      account,
      network,
    }: {
      amount: string
      account: string
      network: string
    }) => `Check there: ${amount} to ${account} on ${network}.`,
    openApp: (name: string) => `Open ${name}`,
    scan: 'Scan with another device',
    open: 'Open in a wallet on this device',
    check: ({ amount, account }: { amount: string; account: string }) =>
      `Some wallets misread codes. Check that your wallet shows ${amount} to ${account}.`,
    codeLabel: ({
      amount,
      account,
      network,
    }: {
      amount: string
      account: string
      network: string
    }) => `Code for a payment of ${amount} to ${account} on ${network}`,
    bareTitle: 'My wallet does not understand the code',
    bare: ({ amount, network }: { amount: string; network: string }) =>
      `This code has only the account. Choose ${network} in your wallet, and enter ${amount} yourself.`,
    bareLabel: ({ account }: { account: string }) => `Code of the account ${account}`,
    panelTitle: 'Pay with a wallet in this browser',
    hashTitle: 'I have sent the payment',
    hashHint:
      'Needed only if you paid from another wallet, or if the payment does not appear here by itself.',
    hash: 'Hash of the transaction',
    hashButton: 'Save the hash',
    cancel: 'Cancel this donation',
    cancelHint: 'Only if you have not paid.',
  },
  /** Payments that the donor may make a donation. Only the donor sees them. */
  offered: {
    found: 'We have found this payment.',
    from: ({ money, sender, block }: { money: string; sender: string; block: string }) =>
      `${money} came from ${sender}, in block ${block}.`,
    named: (wallet: string) => `You had named ${wallet}.`,
    second: (money: string) => `A second payment of ${money} is not assigned.`,
    sameWallet: (block: string) =>
      `It came from the same wallet, in block ${block}. The campaign has the money, but it does not count as a donation yet.`,
    onlyYours: 'Do this only if you sent it: an exchange pays for many people from one wallet.',
    take: 'Make it this donation',
    add: 'Add it as my donation',
    see: 'See the payment',
  },
  paid: {
    title: (campaign: string) => `Already paid to ${campaign}?`,
    lead: 'Tell us the transaction, and it becomes your donation.',
    transaction: 'Transaction',
    transactionHint: 'Its hash, or its address in a block explorer.',
    notInBlockHint: 'Only needed if no block has the payment yet.',
    wallet: 'Wallet that has paid',
    button: 'Find my payment',
    seeDonation: 'See this donation',
    claimLink: 'Sign in with the sending wallet',
  },
}

/** The texts of the pages that take a donation. */
export type DonateTexts = typeof en
