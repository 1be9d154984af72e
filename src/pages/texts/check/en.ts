export const en = {
  title: 'Check a proof',
  lead: 'Your browser recomputes the proof. The file stays on your computer, and the block comes from your wallet, an explorer or the validators of the chain, never from us.',
  /** How to check without this site. */
  alone: {
    title: 'Without this site',
    text: 'This page comes from the service that the proof is about. You can do without it: the program is open, and needs only the proof, the keys, and a node of yours or a checkpoint.',
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
    slow: 'This takes longer than usual. You can close this page and come back: nothing is lost.',
    alone: 'Go on without an answer',
    noAnswer: 'The proof could not be loaded. Check your connection and try again.',
    noJavaScript:
      'The check in the browser needs JavaScript. Without it, download the proof and check it with the program.',
    verdicts: {
      proven: 'Every step holds.',
      needs_hash:
        'Take the hash of block {block} from your wallet or from an explorer, not from us.',
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
      failed: 'See below which step fails.',
    },
    /** The title of a verdict. `open`: nothing is wrong, but not all of it could be checked. */
    titles: {
      proven: 'The donation is proven.',
      needs_hash: 'One thing is open: the hash of the block.',
      open: 'The donation is not proven yet.',
      wrong: 'The donation is NOT proven.',
    },
    /** What a check has proven, and the parties that it trusted. */
    says: {
      proven: 'What was proven, in your browser',
      soFar: 'What holds so far',
      paid: '{amount} went from {sender} to {account}.',
      arrived: '{amount} arrived on {account}. The chain does not show the sender.',
      onlyIf: 'This holds if block {block} is as the proof says.',
      block:
        'The payment is in block {block} of {chain}. The hash of that block comes from {names}.',
      credit:
        'The ledger of this service credits it exactly once, to {campaign}, and has signed that.',
      campaign: 'this campaign',
      trusted: 'What was trusted',
      trust: 'You trusted {list}.',
      keep: 'A file that you kept from an earlier day takes away the word of this site.',
      others: 'What only another source knows',
    },
    stepsTitle: 'The {count} steps',
    stepsHeld: '{held} of {count} hold',
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
    /** The parts of the list in `says.trust`. */
    words: {
      source: '{names} for the hash of the block',
      no_source: 'no source yet for the hash of the block',
      own_key: 'the file that you kept for the key of the service',
      site_key: 'this site for its own key',
      unknown_key: 'no source yet for the key',
      reversal: 'the service for not having reversed the credit since',
      price: 'the service for the price at which it counts the payment',
      receipt: 'the service for which transaction the transaction receipt belongs to',
      balance: 'the service for the transaction that raised the balance',
    },
    /** The answer to the head of a ledger that a visitor has downloaded. */
    head: {
      titles: {
        current: 'The head is signed, and the ledger still ends with it.',
        older: 'The head is signed. The ledger has grown since.',
        alone: 'The head is signed.',
        other: 'The ledger of this site does NOT fit this head.',
        unsigned: 'The head is NOT proven.',
        no_signatures: 'This browser cannot check the signature.',
      },
      why: {
        current: 'Nothing was added or changed since you kept it. Amounts were not added up here.',
        older:
          'The ledger of this site is at seal {newest} now. The total of this head is the sum of the entries up to seal {seq}.',
        alone: 'This site did not name its newest head. Connect and try again.',
        other:
          'This site has another head for seal {seq}, or no such seal any more. Its ledger was changed after the head was signed, or it goes on from a backup. Keep the file, and ask the operator.',
        unsigned: 'No key of this site has signed this head, or the file was changed.',
        no_signatures:
          'Use a current browser and an address with https, or the program of this service.',
      },
      signed: 'A key of this site has signed seal {seq} of the ledger of {campaign}.',
      fixed:
        'The head fixes each entry up to this seal, and with the entries their total. If one of them changes, the head is another one.',
      trusted:
        'The head itself names no amount: add up the entries of {ledger}. Entries according to the file: {entries}, sealed {time}. The signature does not cover these two.',
      ledger: 'the ledger',
      keep: 'Keep the file. A proof that you drop here next is compared with it.',
    },
    signedBy: 'Signed with the key {key}',
    compare: 'Compare with a file that you kept',
    compareHint:
      'A key file, a head of the ledger or updates of a sync committee from an earlier day. The file stays with you.',
    comparedWith: 'Compared with {file}',
    unknownFile: 'This file holds neither a key nor a head of the ledger.',
    problems: {
      other_chain: '{name} uses another network than {chain}.',
      no_block: '{name} does not know this block.',
      no_answer: '{name} did not answer.',
      no_updates:
        'This site gave no updates for this checkpoint. Check your connection, take the block root of the slot below, or choose a file of updates.',
      not_proven: 'The checkpoint does not prove this block:',
    },
    noWallet: 'There is no wallet in this browser.',
    switchTo: 'Switch {name} to {chain}',
    unnamedWallet: 'Browser wallet',
    hashLabel: 'Hash of block {block}',
    hashHint: 'The 64 digits after 0x, as every explorer shows them.',
    hashWrong: 'A hash has 0x and 64 digits.',
    checkpointLabel: 'Or a checkpoint: the root of a final beacon block',
    checkpointHint:
      '32 bytes that you kept, or the block root of slot {slot}, if several beacon explorers show the same one. From there on, the validators of the chain prove the block. This site only gives their signatures, which are checked here.',
    checkCheckpoint: 'Check with this checkpoint',
    checkHash: 'Check with this hash',
    explorer: 'Open the block in an explorer',
    you: 'your own source',
    ownCheckpoint: 'your checkpoint',
    committee: 'the sync committee of the chain (from your checkpoint on)',
    describedCommittee:
      'the sync committee of the chain (from your checkpoint on, in a network as this site describes it)',
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
      file: 'Choose a proof or the head of a ledger, or drop it on this page',
      fileHint:
        'The file that you downloaded on the page of a donation or of a ledger, or updates of a sync committee.',
      paste: 'Or paste the proof',
      node: 'Your own node',
      nodeHint:
        'Optional: the address of a node that you trust, with https. Without it, your wallet is asked.',
      nodeWrong: 'This is not an address with https.',
      keys: 'These are keys. A proof that you drop here next is compared with them.',
      updates: 'These are updates of a sync committee. Choose the proof next.',
      notJson: 'This is not a proof. A proof is a JSON file.',
    },
  },
}

/** The texts of the page that checks any proof. */
export type CheckPageTexts = typeof en
