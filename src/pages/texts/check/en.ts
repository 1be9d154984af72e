export const en = {
  title: 'Check a proof',
  lead: 'Your browser recomputes the proof. The file stays on your computer, and the block comes from your wallet or an explorer, never from us.',
  /** How to check without this site. */
  alone: {
    title: 'Without this site',
    text: 'This page comes from the service that the proof is about. You can do without it: the program is open, and needs only the proof, the keys and a node of yours.',
    keys: 'The keys of this service',
  },
  /** The texts that go to the browser. */
  island: {
    start: 'Check this proof',
    again: 'Check again',
    reading: 'Reading the proof…',
    asking: 'Asking {names} for block {block}…',
    notReady:
      'The proof is not ready yet. It is ready a few seconds after the credit. This page asks again by itself.',
    noAnswer: 'The proof could not be loaded. Check your connection and try again.',
    noJavaScript:
      'The check in the browser needs JavaScript. Without it, download the proof and check it with the program.',
    verdicts: {
      proven: 'The donation is proven. Every step holds.',
      needs_hash:
        'Everything holds, but one thing is open: which hash block {block} has. Take it from your wallet or from an explorer, not from us.',
      other_block:
        'According to {source}, block {block} has another hash: {hash}. Either the chain has replaced the block, or the proof is wrong.',
      unknown_key:
        'The payment on the chain is proven. The credit is not: its key is no key of this site. A key file proves it only if you know yourself that the key belongs to the service.',
      other_key: 'A key that is not in your file has signed this proof. Do not trust it.',
      lower_level:
        'Everything holds, but the chain proves less here than the transaction itself. You decide whether that is enough.',
      other_donation: 'This is the proof of another donation than the one on this page.',
      other_history:
        'Your file names another head for the same seal. The service has changed its ledger after you kept the file.',
      no_signatures:
        'This browser cannot check the signature. Use a current browser and an address with https, or the program.',
      not_a_proof: 'This is not a proof that this page can read.',
      failed: 'The donation is NOT proven. See the steps that fail.',
    },
    stepsTitle: 'Steps',
    steps: {
      format: 'The file is a complete proof',
      header: 'The header belongs to the block',
      chain: 'The block is on the chain',
      receipt: 'The transaction receipt is in the block, and the payment succeeded',
      transaction: 'The transaction is in the block',
      escrow: 'The account is the escrow with these terms',
      payment: 'Amount, asset, sender and recipient are right',
      balance: 'The balance of the account rose by the amount',
      level: 'The chain proves as much as you ask for',
      entries: 'The ledger credits the payment exactly once',
      inclusion: 'The entries of the ledger are sealed',
      head: 'The head of the ledger follows from the seal',
      signature: 'The service has signed the head',
      page: 'It is the donation on this page',
      kept: 'The file that you kept agrees',
    },
    holds: 'holds',
    fails: 'fails',
    unchecked: 'not checked',
    wordsTitle: 'Whose word is left',
    words: {
      source: '{names}: that block {block} of {chain} has this hash',
      no_source: 'no source yet: that block {block} of {chain} has this hash',
      own_key: 'you: that the file which you kept names the key of the service',
      site_key: 'this site: that the key is its own, as long as you compare it with no file',
      unknown_key: 'no source yet: that the key belongs to the service',
      reversal: 'the service: that it has not reversed the credit since',
      price: 'the service: the price at which it counts the payment',
      receipt: 'the service: which transaction the transaction receipt belongs to',
      balance: 'the service: the transaction that raised the balance',
    },
    signedBy: 'Signed with the key {key}',
    compare: 'Compare with a file that you kept',
    compareHint: 'A key file or a head of the ledger from an earlier day. The file stays with you.',
    comparedWith: 'Compared with {file}',
    unknownFile: 'This file holds neither a key nor a head of the ledger.',
    problems: {
      other_chain: '{name} uses another network than {chain}.',
      no_block: '{name} does not know this block.',
      no_answer: '{name} did not answer.',
    },
    noWallet: 'There is no wallet in this browser.',
    switchTo: 'Switch {name} to {chain}',
    unnamedWallet: 'Browser wallet',
    hashLabel: 'Hash of block {block}',
    hashHint: 'The 64 digits after 0x, as every explorer shows them.',
    hashWrong: 'A hash has 0x and 64 digits.',
    checkHash: 'Check with this hash',
    explorer: 'Open the block in an explorer',
    you: 'you',
    accept: 'That is enough for me',
    facts: {
      title: 'What the proof says',
      amount: 'Amount',
      donation: 'Donation',
      account: 'Account',
      sender: 'Sender',
      unknownSender: 'The chain does not show it',
      transaction: 'Transaction',
      block: 'Block',
      chain: 'Network',
    },
    desk: {
      file: 'Choose a proof, or drop it on this page',
      fileHint: 'The file that “Download the proof” on the page of a donation gives you.',
      paste: 'Or paste the proof',
      node: 'Your own node',
      nodeHint:
        'Optional: the address of a node that you trust, with https. Without it, your wallet is asked.',
      nodeWrong: 'This is not an address with https.',
      notJson: 'This is not a proof. A proof is a JSON file.',
    },
  },
}

/** The texts of the page that checks any proof. */
export type CheckPageTexts = typeof en
