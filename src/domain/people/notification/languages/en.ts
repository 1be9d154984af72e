import type { NotificationTexts } from '../texts.ts'

export const en: NotificationTexts = {
  donation_completed: ({ amount, currency, campaign, to }) => ({
    title: to === 'donor' ? 'Your donation has arrived' : 'A donation has arrived',
    message: `${amount} ${currency} for “${campaign}” is final on the chain and credited.`,
  }),
  donation_reversed: ({ amount, currency, campaign, to, reason }) => ({
    title: `${to === 'donor' ? 'Your' : 'A'} donation was ${reason === 'reorganised' ? 'reversed' : 'moved'}`,
    message:
      reason === 'reorganised'
        ? `The chain was reorganised and no longer holds ${amount} ${currency} for “${campaign}”.`
        : `${amount} ${currency} for “${campaign}” is now the donation of the holder of the wallet that sent it.`,
  }),
  deposit_unclaimed: ({ amount, currency, campaign }) => ({
    title: 'Money has arrived that is not recorded',
    message: `“${campaign}” received ${amount} ${currency} that is not recorded as a donation. Its sender can claim it.`,
  }),
  milestone_reached: ({ milestone, campaign }) => ({
    title: 'A milestone was reached',
    message: `“${campaign}” has raised enough for “${milestone}”. Verifiers can decide now; if the campaign has an escrow, once the escrow has its target.`,
  }),
  campaign_funded: ({ amount, currency, campaign }) => ({
    title: 'Your campaign has reached its target',
    message: `“${campaign}” has reached its target of ${amount} ${currency}.`,
  }),
  milestone_verified: ({ milestone, campaign }) => ({
    title: 'A milestone was verified',
    message: `“${milestone}” of “${campaign}” was verified.`,
  }),
  milestone_rejected: ({ milestone, campaign }) => ({
    title: 'Evidence was not accepted',
    message: `The evidence for “${milestone}” of “${campaign}” was not accepted. It can be verified again.`,
  }),
  release_waiting: ({ milestone, campaign }) => ({
    title: 'A verified milestone waits for its release',
    message: `“${milestone}” of “${campaign}” was verified three days ago, and its escrow has not paid yet. Anyone can send the release.`,
  }),
  campaign_failed: ({ amount, currency, campaign }) => ({
    title: 'The escrow of your campaign has failed',
    message: `The escrow of “${campaign}” releases nothing any more. It gives ${amount} ${currency} back to the donors.`,
  }),
  refund_ready: ({ amount, currency, campaign }) => ({
    title: 'You can get a refund',
    message: `The escrow of “${campaign}” gives money back. You can claim your share of ${amount} ${currency} now.`,
  }),
  donation_refunded: ({ amount, currency, campaign, receiver }) =>
    receiver
      ? {
          title: 'Verifiers named the receiver of your donation',
          message: `The escrow of “${campaign}” has paid ${amount} ${currency} of your donation to ${receiver}, as its verifiers signed. We know another account as its sender.`,
        }
      : {
          title: 'You got a refund',
          message: `The escrow of “${campaign}” has paid ${amount} ${currency} of your donation back.`,
        },
  impact_verified: ({ campaign }) => ({
    title: 'Your impact report was verified',
    message: `The impact report of “${campaign}” was verified.`,
  }),
  webhook_disabled: ({ url, reason }) => ({
    title: 'A webhook endpoint was switched off',
    message:
      reason === 'gone'
        ? `${url} answered 410 Gone, so we no longer send events to it.`
        : `Every attempt to reach ${url} has failed for five days, so we no longer send events to it.`,
  }),
}
