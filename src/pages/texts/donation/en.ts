export const en = {
  title: (money: string, campaign: string) => `${money} for ${campaign}`,
  state: 'State of the donation',
  /** The state in large letters. `partly`: the part that was paid back, of all that counted. */
  done: {
    onItsWay: 'On its way',
    credited: 'Credited',
    proven: 'Proven',
    refunded: 'REFUNDED',
    partly: (back: string, all: string) => `PARTLY REFUNDED, ${back} of ${all}`,
  },
  way: 'How it got here',
  wayLength: (steps: string, time: string) => `${steps} steps, ${time}`,
  share: 'Share',
  shared: 'The link is copied.',
  steps: {
    promised: 'Promised',
    sent: 'Sent',
    in_block: 'In a block',
    credited: 'Final and credited',
    sealed: 'Sealed',
    proven: 'Proven',
  },
  marks: { done: 'done', now: 'now', next: 'later', bad: 'did not happen' },

  /** In a block that is not final. `minutes` is null if the time is unknown. */
  confirming: (block: string, minutes: number | null): string => {
    if (minutes === null)
      return `In block ${block}, which is not final yet. You can close this page.`
    const time = minutes === 1 ? 'a minute' : `${minutes} minutes`
    return `In block ${block}. Final in about ${time}; you can close this page.`
  },
  confirmations: (count: string, required: string) => `${count} of ${required} blocks`,
  credited: (money: string) => `${money} are credited to the campaign. Thank you.`,
  proven: 'You can check the proof below, without trusting us.',
  sealing: 'The ledger is being sealed. The proof is ready in a few seconds.',
  worthless:
    'The payment is worth less than the smallest unit of the campaign’s currency. It counts for nothing and has no proof.',
  paidBack: (money: string) => `The escrow has paid back ${money}, all of this donation.`,
  partlyPaidBack: (money: string) => `The escrow has paid back ${money} of this donation.`,
  /** To another receiver than the sender. */
  paidElsewhere: (money: string, account: string) =>
    `The escrow has paid ${money} of this donation to ${account}, as its verifiers signed.`,
  nextLook: (time: string) => `Next check: ${time}`,
  /** Instead of how to pay, once the campaign takes no donations. */
  closed: 'Do not pay any more: the campaign has stopped taking donations.',
  /** In the same place, if the escrow would not record the payment. */
  unrecorded:
    'Do not pay: the escrow would not record this payment, and verifiers would have to sign its return.',
  reasons: {
    waiting_for_transaction: {
      why: 'No block has shown the transaction yet.',
      next: 'A few minutes are normal. If it takes longer, speed it up in your wallet: this page follows the new transaction by itself. You can close it.',
    },
    waiting_for_payment: {
      why: 'The payment has not arrived yet.',
      next: 'Pay as shown below. You can close this page: a payment counts whenever it comes, as long as the campaign takes donations.',
    },
    node_unavailable: {
      why: 'The nodes that we ask do not answer at the moment.',
      next: 'Nothing is lost. The donation goes on when they answer.',
    },
    node_disbelieved: {
      why: 'The nodes gave answers that do not hold, so we do not count them.',
      next: 'Nothing is lost. We ask again until an answer can be proven.',
    },
    waiting_for_finality_proof: {
      why: 'The nodes call the block final, but we do not have the validators’ signatures yet that prove it.',
      next: 'Nothing is lost. The donation goes on when we have this proof, usually within minutes.',
    },
    internal_payment_unproven: {
      why: 'A contract made this payment, and the chain does not prove yet how much arrived.',
      next: 'We keep looking for a proof. If it takes more than a day, ask the operator and name this donation.',
    },
    replacement_not_found: {
      why: 'Another transaction of the same wallet took the place of this one, and we do not know it.',
      next: 'If you sped it up, look for the new hash in your wallet, and record it with “I have already paid”.',
    },
    price_unavailable: {
      why: 'The payment is final, but there is no price yet to convert it.',
      next: 'The money is safe on the campaign’s account. It is credited as soon as there is a price.',
    },
    price_stale: {
      why: 'The payment is final, but the price at its block is too old to count.',
      next: 'The money is safe on the campaign’s account. We ask for a better price again and again.',
    },
    sequencer_down: {
      why: 'The payment is final, but the chain was just down, so its prices do not count yet.',
      next: 'The money is safe on the campaign’s account. We ask for the price again and again.',
    },
    transaction_reverted: {
      why: 'The transaction failed on the chain, so no money moved.',
      next: 'Only the fee is gone. You can give again.',
    },
    wrong_recipient: {
      why: 'The transaction paid another account than the one of this campaign.',
      next: 'Look in your wallet where the money went. We cannot get it back.',
    },
    unknown_token: {
      why: 'The transaction paid in a token that this campaign does not take.',
      next: 'The token is on the campaign’s account, but it does not count. Ask the creator, or the verifiers of an escrow, to send it back.',
    },
    no_such_transfer: {
      why: 'The transaction contains no such payment to this campaign.',
      next: 'Check the hash in your wallet. If it was another one, record the donation again.',
    },
    ledger_address_mismatch: {
      why: 'The transaction has no payment from or to the address that was named.',
      next: 'Record the donation again with the wallet that paid.',
    },
    transfer_before_campaign: {
      why: 'The payment is older than the campaign.',
      next: 'It cannot count. Ask the creator, or the verifiers of an escrow: the money is on the campaign’s account.',
    },
    transfer_already_claimed: {
      why: 'This payment belongs to another donation already.',
      next: 'If you made the payment, sign in with the wallet that paid, and record it again with “I have already paid”: it becomes yours.',
    },
    block_unsupported: {
      why: 'The payment is in a block that this service cannot prove.',
      next: 'Ask the operator, and name this donation.',
    },
    returned_in_transaction: {
      why: 'The money left the campaign’s account again in the same transaction.',
      next: 'Nothing is left that could count. You can give again.',
    },
    transaction_replaced: {
      why: 'Your wallet replaced the transaction by another one, which does not pay this campaign.',
      next: 'The campaign got no money from it. You can give again.',
    },
    moved_to_wallet_owner: {
      why: 'The payment now counts as a donation of the owner of the wallet that paid.',
      next: 'If the wallet is yours, sign in with it to see the donation.',
    },
    cancelled: {
      why: 'The promise was cancelled before a payment came.',
      next: 'If you did pay, record the payment with “I have already paid”.',
    },
    asset_not_escrowed: {
      why: 'The escrow of this campaign holds another asset than the one that was paid.',
      next: 'The payment does not count. When the campaign is over, its verifiers can give it back.',
    },
    campaign_failed: {
      why: 'The campaign’s escrow had failed before this payment.',
      next: 'The payment does not count. Verifiers of the campaign must sign its return.',
    },
    never_seen: {
      why: 'No node has shown the transaction in all the time that we waited.',
      next: 'If it gets into a block later, the donation goes on by itself. Your wallet shows what became of it.',
    },
    payment_not_received: {
      why: 'No payment arrived in time.',
      next: 'A late payment still counts: it brings this donation back.',
    },
    another_intent_paid: {
      why: 'You promised the same twice, and the payment went to the other promise.',
      next: 'There is nothing left to do. The other donation has the money.',
    },
    reorganised: {
      why: 'The chain replaced the block with this payment, so the credit was taken back.',
      next: 'It is credited again if the payment comes back into the chain. Your wallet shows whether the money has left it.',
    },
  },

  /** What became of the transaction that the donor has named before a block has the payment. */
  named: {
    none: {
      why: 'Sent. Waiting for a block.',
      next: 'A few minutes are normal, and this page changes by itself. If it takes longer, the transaction has no payment to this campaign that we know: compare the hash with the one in your wallet.',
    },
    found: {
      why: 'A block has the named payment, but it does not belong to this donation yet.',
      next: 'Only the donor can make it this donation, on this page.',
    },
    show: 'Show the payment',
  },

  notes: {
    under: (declared: string, arrived: string) =>
      `${arrived} arrived, less than the ${declared} that were promised. What arrived counts.`,
    over: (declared: string, arrived: string) =>
      `${arrived} arrived, more than the ${declared} that were promised. All of it counts.`,
    other_asset: (declared: string, arrived: string) =>
      `${arrived} arrived in place of ${declared}. It counts at the price of its block.`,
    late: 'The payment came late. It counts all the same.',
    discrepancy: (declared: string, arrived: string) =>
      `${declared} were announced, and ${arrived} arrived. What arrived counts.`,
    replaced: 'Your wallet replaced the transaction, and this donation followed the new one.',
    onChain: 'The escrow has recorded the donor, so the refund needs no verifier.',
    byVerifiers: 'The escrow has not recorded the donor, so its verifiers must sign the refund.',
  },

  facts: {
    title: 'Details',
    promised: 'Promised',
    arrived: 'Arrived',
    counts: 'Counts for the campaign',
    refund: 'If the campaign fails',
    counted: (money: string) => `Counted as ${money}`,
    donor: 'Donor',
    rate: ({ one, price, isFixed }: { one: string; price: string; isFixed: boolean }) =>
      `${one} = ${price}, ${isFixed ? 'price set by this service' : 'price by Chainlink, at the block'}`,
    countsNow: 'Counts now',
    worth: 'Worth at the time of the block',
    anonymous: 'Anonymous',
    hidden: 'Only you and the creator see it.',
    account: 'Account of the campaign',
    firstTransaction: 'First transaction',
    replacedBy: 'Replaced by',
    entries: 'Entries of the ledger',
    seal: (number: string, time: string) => `Seal ${number}, ${time}`,
    sealKey: 'Key of the seal',
    sealHead: 'Head of the ledger',
    recorded: 'Recorded',
    number: 'Number of the donation',
  },

  refund: {
    title: 'Your refund',
    collect: (money: string) => `The escrow gives money back: collect ${money}`,
    /** In one or two words. Later states have the words of a donation. */
    states: { unsigned: 'Needs signatures', ready: 'Can be sent' },
    ready:
      'The escrow gives your money back. Any account may send the transaction, and pays only the fee of the network.',
    /** The contract did not record the payment. */
    unsigned: (signatures: string) =>
      `The contract did not record this payment, so verifiers must sign its return. Signatures needed: ${signatures}. Show the verifiers that the account which paid is yours.`,
    sent: 'A block has your refund, but it is not final yet. This page shows when it is.',
    done: 'The escrow has paid your refund.',
    /** Verifiers have named another receiver than the sender. */
    elsewhere:
      'Verifiers have signed that the escrow pays this to another account than the sender that we know.',
    to: 'The money goes to',
    /** The link to the same page with the transaction. */
    show: 'Show the transaction',
    /** After the wallet has sent the transaction. */
    posted: 'Sent. This page shows your refund as soon as a block has it.',
  },

  guest: {
    title: 'You gave without an account',
    keep: 'Keep the address of this page to find your donation again. Or keep the donation in an account: by mail, or by the wallet that paid.',
    signIn: 'Sign in to keep it',
    claim: 'Keep it in my account',
  },

  check: {
    title: 'Check it yourself',
    lead: 'Your browser recomputes the proof. It asks your wallet for the block, not us.',
    download: 'Download the proof',
    keep: 'Keep the proof: it can be checked without this site, also in many years.',
  },

  receipt: {
    title: 'Receipt',
    print: 'Print, or save as PDF',
    notYet: 'Not final yet',
    notYetText: 'This is no receipt. The payment is in a block that the chain may still take back.',
    none: 'There is no receipt.',
    noneText: 'A donation has a receipt once its payment is final and credited.',
    number: 'Receipt',
    /** A refund makes the second version. `time` is the time of the first one. */
    second: (time: string) => `Version 2, replaces version 1 of ${time}`,
    issuedBy: (name: string) => `Issued by ${name}`,
    operatorOf: (host: string) => `the operator of ${host}`,
    noGift: 'This is not a receipt for a gift: all of it was paid back.',
    noPrice: 'No price at this block',
    paidTo: 'Paid to',
    escrowOf: (campaign: string) => `Escrow of ${campaign}`,
    isProven: 'This account has proven by its signature that it is the campaign’s.',
    unchecked: 'name not checked',
    givenBy: 'Given by',
    asWritten: 'as the donor wrote it',
    purpose: 'For',
    direct: 'Straight to the payee, without an escrow',
    held: 'Held by a contract until verifiers release it',
    paidAt: 'Paid (time of the block)',
    paidBack: 'Paid back',
    ofAll: (back: string, all: string) => `${back} of ${all}`,
    fingerprint: 'Fingerprint of the proof (SHA-256)',
    noProof: 'The proof is not ready. It is ready seconds after the credit: load this page again.',
    how: 'How to check this receipt without trusting us',
    open: 'Scan the code, or open {address}. The page shows the donation as it is today.',
    compare: 'Download the proof there. The SHA-256 of the file must be the fingerprint above.',
    compareBack: 'The proof is of the payment in; the chain shows the payment back.',
    check:
      'Press “Check this proof”: your browser recomputes it, and your wallet names the block. Or use the open program and your own node: {command}',
    statementBack: (money: string) =>
      `This service never held the money. It says with this receipt that the donation was credited, and that the escrow has paid back ${money}. Do not use version 1 of this receipt any more.`,
    creditedAt: 'Credited',
    of: 'Receipt for a donation',
    statement:
      'The money went straight to the account of the campaign. This service never held it. It says with this receipt that the payment is final on the chain and credited in the ledger.',
    issued: (time: string) => `Issued ${time}`,
    back: 'Back to the donation',
  },
}

/** The texts of a donation's page. Amounts arrive with their currency. */
export type DonationTexts = typeof en
